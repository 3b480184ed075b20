//! Who called the API: the event history of a simulated account.

use liftdeck_gateway::{ConnectionSpec, CredentialSource, Gateway};
use liftdeck_model::time::TimeRange;
use liftdeck_model::trail::Via;
use liftdeck_model::{Region, Timestamp};
use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions, TrailOptions};

const BEGUN_MS: i64 = 1_795_203_000_000;
const HOUR_MS: i64 = 3_600_000;

#[tokio::test]
async fn a_look_up_by_name_finds_who_did_it_and_only_in_its_window() {
    let options = SimulatorOptions {
        scenario: Scenario::BadBuild,
        speed: 0.0,
        start_ms: Some(BEGUN_MS),
        trail: TrailOptions { delay_s: Some(0), missing: Some(0.0), event_bridge: false },
        keep: true,
        ..SimulatorOptions::default()
    };
    let simulator = Simulator::start(options).await.unwrap();
    let region = Region::from("eu-west-1");
    let spec = ConnectionSpec {
        endpoint_url: Some(simulator.endpoint().to_owned()),
        regions: vec![region.clone()],
        budget_share: 1.0,
        credentials: CredentialSource::Keys {
            access_key_id: "AKIDGOOD".to_owned(),
            secret_access_key: "secret".to_owned(),
        },
        ..ConnectionSpec::default()
    };
    let gateway = Gateway::connect(spec).await.unwrap();
    let reader = gateway.reader(&region).unwrap();
    let at = Timestamp::from_ms(BEGUN_MS);
    let found = reader.trail("UpdateAlias", TimeRange::new(at.plus_ms(-HOUR_MS), at)).await;
    assert!(found.complete, "{:?}", found.failure);
    let call = found.items.first().and_then(|record| record.call.clone()).unwrap();
    assert_eq!((call.caller.principal.label(), &call.caller.via), ("alice", &Via::Console));
    assert!(call.took_effect() && call.names(&["aliasId"], &call.parameter("aliasId").unwrap()));
    let earlier = TimeRange::new(at.plus_ms(-HOUR_MS), at.plus_ms(-HOUR_MS / 2));
    let earlier = reader.trail("UpdateAlias", earlier).await;
    assert!(earlier.complete && earlier.items.is_empty());
    let published = gateway.usage();
    let lookups = published.operations.iter().find(|usage| usage.operation == "LookupEvents").unwrap();
    assert_eq!((lookups.calls, lookups.published_per_second), (2, Some(2.0)));
}
