//! CloudWatch: samples, partial answers, and the count of what is billed.

use liftdeck_gateway::{ErrorKind, MetricRequest};
use liftdeck_model::Timestamp;
use liftdeck_model::metric::{MetricSeries, MetricSource};
use liftdeck_model::time::TimeRange;

use crate::answers::{Body, Value};
use crate::server::{Answer, Server, patient, region};

fn request(statistic: &str) -> MetricRequest {
    MetricRequest {
        series: MetricSeries {
            region: region(),
            source: MetricSource::CloudWatch,
            name: "ActiveInstances".to_owned(),
            dimensions: vec![("FleetId".to_owned(), "fleet-1".to_owned())],
            statistic: statistic.to_owned(),
        },
        period_seconds: 60,
        range: TimeRange::new(Timestamp::from_ms(1_700_000_040_000), Timestamp::from_ms(1_700_000_220_000)),
    }
}

fn result(id: &str, status: &str, samples: &[(f64, f64)]) -> Value {
    Value::Map(
        Body::new()
            .text("Id", id)
            .text("StatusCode", status)
            .list("Timestamps", samples.iter().map(|(at, _)| Value::Moment(*at)).collect())
            .list("Values", samples.iter().map(|(_, value)| Value::Float(*value)).collect()),
    )
}

fn answer(results: Vec<Value>, next: Option<&str>) -> Answer {
    let body = Body::new().list("MetricDataResults", results);
    Answer::cbor(if let Some(next) = next { body.text("NextToken", next) } else { body }.bytes())
}

#[tokio::test]
async fn five_statistics_of_a_metric_travel_in_one_call_and_are_counted_once() {
    let server = Server::start(|_, _| {
        let ids = ["q0", "q1", "q2", "q3", "q4"];
        answer(ids.iter().map(|id| result(id, "Complete", &[(1_700_000_040.0, 2.0)])).collect(), None)
    })
    .await;
    let gateway = server.gateway(patient()).await;
    let requests: Vec<_> = ["Average", "Sum", "Minimum", "Maximum", "SampleCount"].map(request).to_vec();
    let reading = gateway.reader(&region()).unwrap().metric_data(&requests).await;
    assert!(reading.failure.is_none(), "{:?}", reading.failure);
    assert!(reading.series.iter().all(|series| series.complete && series.samples.len() == 1));
    assert_eq!((reading.metrics_requested, gateway.usage().cloudwatch_metrics_requested), (1, 1));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_partial_answer_is_asked_for_until_it_is_complete() {
    let server = Server::start(|_, number| match number {
        0 => answer(vec![result("q0", "PartialData", &[(1_700_000_040.0, 1.0)])], Some("more")),
        _ => answer(vec![result("q0", "Complete", &[(1_700_000_100.0, 2.0), (1_700_000_160.0, 3.0)])], None),
    })
    .await;
    let reading = server.reader().await.metric_data(&[request("Average")]).await;
    let series = &reading.series[0];
    assert!(series.complete);
    let samples: Vec<_> = series.samples.iter().map(|sample| (sample.at.as_ms(), sample.value)).collect();
    assert_eq!(samples, [(1_700_000_040_000, 1.0), (1_700_000_100_000, 2.0), (1_700_000_160_000, 3.0)]);
    assert!(server.requests()[1].mentions("more"));
}

#[tokio::test]
async fn an_answer_that_stays_partial_is_not_complete() {
    let server =
        Server::start(|_, _| answer(vec![result("q0", "PartialData", &[(1_700_000_040.0, 1.0)])], None))
            .await;
    let reading = server.reader().await.metric_data(&[request("Average")]).await;
    assert!(!reading.series[0].complete);
    assert_eq!(reading.series[0].samples.len(), 1);
}

#[tokio::test]
async fn a_refused_request_is_not_counted_and_a_damaged_answer_is() {
    let refused = Server::start(|_, _| Answer::error(400, "InvalidParameterValue", "no")).await;
    let reading = refused.reader().await.metric_data(&[request("Average")]).await;
    assert_eq!(reading.metrics_requested, 0);
    assert_eq!(reading.failure.unwrap().kind, ErrorKind::Invalid);

    let damaged = Server::start(|_, _| Answer::cbor(vec![0xa1])).await;
    let reading = damaged.reader().await.metric_data(&[request("Average")]).await;
    assert_eq!(reading.metrics_requested, 3, "AWS may bill all three attempts");
    assert_eq!(reading.failure.unwrap().kind, ErrorKind::Decode);
}

#[tokio::test]
async fn times_without_their_values_are_never_paired_by_guess() {
    let lopsided = || {
        let times = vec![Value::Moment(1_700_000_040.0), Value::Moment(1_700_000_100.0)];
        let one = Body::new().text("Id", "q0").text("StatusCode", "Complete");
        Value::Map(one.list("Timestamps", times).list("Values", vec![Value::Float(1.0)]))
    };
    let server = Server::start(move |_, _| answer(vec![lopsided()], None)).await;
    let reading = server.reader().await.metric_data(&[request("Average")]).await;
    assert!(!reading.series[0].complete && reading.series[0].samples.is_empty());
    assert_eq!(reading.failure.unwrap().kind, ErrorKind::Decode);
}

#[tokio::test]
async fn metrics_are_listed_with_sorted_dimensions() {
    let server = Server::start(|_, _| {
        let dimension =
            |name: &str, value: &str| Value::Map(Body::new().text("Name", name).text("Value", value));
        let metric = Body::new()
            .text("Namespace", "AWS/GameLift")
            .text("MetricName", "ActiveInstances")
            .list("Dimensions", vec![dimension("Location", "eu-west-1"), dimension("FleetId", "fleet-1")]);
        Answer::cbor(Body::new().list("Metrics", vec![Value::Map(metric)]).bytes())
    })
    .await;
    let reading = server.reader().await.list_metrics(true).await;
    assert!(reading.complete);
    assert_eq!(reading.items[0].dimensions[0].0, "FleetId");
    assert!(server.requests()[0].mentions("PT3H"));
}
