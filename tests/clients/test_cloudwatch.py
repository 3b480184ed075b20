"""CloudWatch in JSON and CBOR: the rules of GetMetricData, and agreement with the world's own counts."""

import datetime
import json

import pytest

import choose
from cases import pick
from clients import ask_cbor, ask_json, boto, plain
from model import problems, service

TARGET = "GraniteServiceVersion20100801"
MODEL = service("cloudwatch")
MINUTE = datetime.timedelta(minutes=1)


@pytest.fixture(scope="module")
def world(changing):
    """The world for these tests, advanced to a multiple of five minutes."""
    changing.post("advance", {"seconds": 300 - changing.truth()["Now"] % 300})
    return changing


@pytest.fixture(scope="module")
def truth(world):
    return world.truth()


@pytest.fixture(scope="module")
def cloudwatch(world):
    return boto(world.endpoint, "cloudwatch")


@pytest.fixture(scope="module")
def now(truth):
    return datetime.datetime.fromtimestamp(truth["Now"], datetime.timezone.utc)


def query(name, dimensions, key="q0", period=60, stat="Average", **more):
    """Returns one query of GetMetricData, for dimensions by name."""
    listed = [{"Name": dimension, "Value": value} for dimension, value in dimensions.items()]
    metric = {"Namespace": "AWS/GameLift", "MetricName": name, "Dimensions": listed}
    return {"Id": key, "MetricStat": {"Metric": metric, "Period": period, "Stat": stat, **more}}


def both(world, client, operation, parameters):
    """Returns an operation's answer, after checking that both protocols and the model agree on it."""
    as_json = ask_json(client, operation, parameters)
    as_cbor = ask_cbor(world.endpoint, TARGET, operation, parameters, signing_name="monitoring")
    assert as_json.code == as_cbor.code or as_cbor.headers["x-amzn-query-error"].startswith(as_json.code)
    if as_json.code is None:
        shape = MODEL.operation_model(operation).output_shape
        assert not problems(shape, as_json.body, "json") + problems(shape, as_cbor.body, "cbor")
        left_out = {"NextToken"}
        body, other = plain(as_json.body), plain(as_cbor.body)
        assert {k: v for k, v in body.items() if k not in left_out} == {
            k: v for k, v in other.items() if k not in left_out
        }
    return as_json


def test_metrics_are_filtered(world, cloudwatch, truth):
    fleet = pick(truth)[0]
    filters = [{"Name": "FleetId", "Value": fleet}]
    mine = both(world, cloudwatch, "ListMetrics", {"MetricName": "ActiveInstances", "Dimensions": filters}).body
    places = len(truth["LocationAttributes"][fleet])
    assert len(mine["Metrics"]) == 1 + places, "the filter also lists metrics with more dimensions"
    assert both(world, cloudwatch, "ListMetrics", {"Namespace": "AWS/EC2"}).body["Metrics"] == []


def test_metrics_are_listed_in_pages_of_500(changing):
    region = "us-east-1"
    gamelift, client = boto(changing.endpoint, "gamelift", region), boto(changing.endpoint, "cloudwatch", region)
    truth = changing.truth(region)
    fleet = choose.fleet(truth)
    known = {location["LocationName"] for location in truth["Locations"] if "LocationArn" not in location}
    # Every location has its own metrics; a new one is listed some time after its first values.
    for place in sorted(known - set(choose.locations(truth, fleet)))[:4]:
        gamelift.create_fleet_locations(FleetId=fleet, Locations=[{"Location": place}])
    changing.post("advance", {"seconds": 3600})
    pages = [page["Metrics"] for page in client.get_paginator("list_metrics").paginate()]
    assert [len(page) for page in pages[:-1]] == [500] and len(pages) == 2
    names = [json.dumps(metric, sort_keys=True) for page in pages for metric in page]
    assert len(set(names)) == len(names) > 500


def test_a_minute_s_metric_is_what_the_world_counted_when_it_began(changing):
    changing.post("advance", {"seconds": 60 - changing.truth()["Now"] % 60})
    before = changing.truth()
    begun = datetime.datetime.fromtimestamp(before["Now"], datetime.timezone.utc)
    changing.post("advance", {"seconds": 60})
    client = boto(changing.endpoint, "cloudwatch")
    fleets = {fleet["FleetId"] for fleet in before["Fleets"]}
    places = [place for place in before["FleetUtilization"] if place["FleetId"] in fleets]
    assert places
    for place in places:
        dimensions = {"FleetId": place["FleetId"], "Location": place["Location"]}
        span = {"StartTime": begun, "EndTime": begun + MINUTE}
        asked = {"MetricDataQueries": [query("ActiveGameSessions", dimensions)], **span}
        result = ask_json(client, "GetMetricData", asked).body["MetricDataResults"][0]
        active = sum(
            session["FleetId"] == place["FleetId"]
            and session["Location"] == place["Location"]
            and session["Status"] == "ACTIVE"
            for session in before["GameSessions"]
        )
        assert result["Values"] == [active], dimensions


def data(fleet, now, *queries, minutes=60, **more):
    """Returns the parameters of GetMetricData for metrics of a whole fleet."""
    for one in queries:
        one["MetricStat"]["Metric"]["Dimensions"] = [{"Name": "FleetId", "Value": fleet}]
    span = {"StartTime": now - minutes * MINUTE, "EndTime": now}
    return {"MetricDataQueries": list(queries), **span, **more}


def test_order_statistics_and_periods_follow_the_rules(world, cloudwatch, truth, now):
    fleet = pick(truth)[0]
    stats = ["Minimum", "Average", "Maximum", "Sum", "SampleCount"]
    queries = [query("ActiveGameSessions", {}, f"q{at}", 300, stat) for at, stat in enumerate(stats)]
    asked = data(fleet, now, *queries, ScanBy="TimestampAscending")
    results = both(world, cloudwatch, "GetMetricData", asked).body["MetricDataResults"]
    low, mean, high, total, count = (result["Values"] for result in results)
    assert len(low) == 12 and results[0]["Timestamps"] == sorted(results[0]["Timestamps"])
    for at in range(12):
        assert low[at] <= mean[at] <= high[at] and abs(mean[at] * count[at] - total[at]) < 1e-6
        assert count[at] == 5
    downwards = both(world, cloudwatch, "GetMetricData", data(fleet, now, *queries)).body["MetricDataResults"]
    assert downwards[0]["Timestamps"] == results[0]["Timestamps"][::-1]
    assert downwards[1]["Values"] == mean[::-1]


def test_percentiles_are_those_of_the_minutes(world, cloudwatch, truth, now):
    fleet = pick(truth)[0]
    names = ["p0", "p50", "p100"]
    queries = [query("ActiveGameSessions", {}, f"q{at}", 300, stat) for at, stat in enumerate(names)]
    minutes = query("ActiveGameSessions", {}, "minutes", 60, "Average")
    asked = data(fleet, now, *queries, minutes, minutes=10, ScanBy="TimestampAscending")
    results = both(world, cloudwatch, "GetMetricData", asked).body["MetricDataResults"]
    low, middle, high, samples = (result["Values"] for result in results)
    for at in range(2):
        five = sorted(samples[5 * at : 5 * at + 5])
        assert (low[at], middle[at], high[at]) == (five[0], five[2], five[4])


def test_the_older_question_has_the_same_answer(world, cloudwatch, truth, now):
    fleet = pick(truth)[0]
    stats = ["SampleCount", "Average", "Sum", "Minimum", "Maximum"]
    queries = [query("ActiveGameSessions", {}, f"q{at}", 300, stat) for at, stat in enumerate(stats)]
    asked = data(fleet, now, *queries, ScanBy="TimestampAscending")
    new = both(world, cloudwatch, "GetMetricData", asked).body["MetricDataResults"]
    dimensions = [{"Name": "FleetId", "Value": fleet}]
    metric = {"Namespace": "AWS/GameLift", "MetricName": "ActiveGameSessions", "Dimensions": dimensions}
    span = {"StartTime": asked["StartTime"], "EndTime": asked["EndTime"], "Period": 300}
    old = both(world, cloudwatch, "GetMetricStatistics", metric | span | {"Statistics": stats}).body
    points = sorted(old["Datapoints"], key=lambda point: point["Timestamp"])
    assert old["Label"] == "ActiveGameSessions" and len(points) == 12
    assert {point["Unit"] for point in points} == {"Count"}
    for stat, result in zip(stats, new):
        assert [point[stat] for point in points] == result["Values"], stat
    shares = both(world, cloudwatch, "GetMetricStatistics", metric | span | {"ExtendedStatistics": ["p50", "p99.9"]}).body
    assert all(set(point["ExtendedStatistics"]) == {"p50", "p99.9"} for point in shares["Datapoints"])
    bad = [
        ({}, "InvalidParameterCombination"),
        ({"Statistics": stats, "ExtendedStatistics": ["p5"]}, "InvalidParameterCombination"),
        ({"Statistics": ["Median"]}, "InvalidParameterValue"),
        ({"ExtendedStatistics": ["p101"]}, "InvalidParameterValue"),
        ({"Statistics": stats, "Period": 61}, "InvalidParameterValue"),
        ({"Statistics": stats, "Unit": "Apples"}, "InvalidParameterValue"),
        ({"Statistics": stats, "Period": 60, "StartTime": now - 1441 * MINUTE}, "InvalidParameterCombination"),
        ({"Statistics": stats, "StartTime": now, "EndTime": now}, "InvalidParameterCombination"),
    ]
    for wrong, code in bad:
        answer = both(world, cloudwatch, "GetMetricStatistics", metric | span | wrong)
        assert (answer.code, answer.status) == (code, 400), wrong


def test_pages_of_data_points_go_on_where_the_last_one_stopped(world, cloudwatch, truth, now):
    fleet = pick(truth)[0]
    queries = [query("ActiveGameSessions", {}, "a"), query("ActiveInstances", {}, "b")]
    whole = both(world, cloudwatch, "GetMetricData", data(fleet, now, *queries)).body["MetricDataResults"]
    values, token, pages = {"a": [], "b": []}, {}, 0
    while True:
        page = both(world, cloudwatch, "GetMetricData", data(fleet, now, *queries, MaxDatapoints=25) | token).body
        pages += 1
        assert sum(len(result["Values"]) for result in page["MetricDataResults"]) <= 25
        for result in page["MetricDataResults"]:
            values[result["Id"]] += result["Values"]
        partial = [r["Id"] for r in page["MetricDataResults"] if r["StatusCode"] == "PartialData"]
        assert bool(partial) == ("NextToken" in page)
        if "NextToken" not in page:
            break
        token = {"NextToken": page["NextToken"]}
    assert pages == 5
    assert values == {result["Id"]: result["Values"] for result in whole}


def test_old_data_is_there_only_as_coarsely_as_it_is_kept(world, cloudwatch, truth, now):
    fleet = pick(truth)[0]
    day = 24 * 60 * MINUTE
    asked = data(fleet, now, query("ActiveInstances", {}, period=60))
    asked |= {"StartTime": now - 17 * day, "EndTime": now - 16 * day}
    result = both(world, cloudwatch, "GetMetricData", asked).body["MetricDataResults"][0]
    assert (result["Values"], result["StatusCode"]) == ([], "Complete")


def test_the_wrong_unit_or_an_unknown_metric_gives_nothing(world, cloudwatch, truth, now):
    fleet = pick(truth)[0]
    wrong = query("ActiveInstances", {}, "a", Unit="Bytes")
    unknown = query("ActiveUnicorns", {}, "b")
    right = query("ActiveInstances", {}, "c", Unit="Count")
    results = both(world, cloudwatch, "GetMetricData", data(fleet, now, wrong, unknown, right)).body
    sizes = [len(result["Values"]) for result in results["MetricDataResults"]]
    assert sizes[:2] == [0, 0] and sizes[2] > 0


def test_bad_requests_are_refused_with_the_query_code(world, cloudwatch, truth, now):
    fleet = pick(truth)[0]
    one = query("ActiveInstances", {})
    good = data(fleet, now, one)
    bad = [
        (good | {"MetricDataQueries": [one] * 501}, "InvalidParameterValue"),
        (good | {"MetricDataQueries": [one, one]}, "InvalidParameterValue"),
        (good | {"MetricDataQueries": [one | {"Id": "Upper"}]}, "InvalidParameterValue"),
        (good | {"MetricDataQueries": [{"Id": "e", "Expression": "SUM(METRICS())"}]}, "InvalidParameterValue"),
        (good | {"MetricDataQueries": [{"Id": "e"}]}, "InvalidParameterCombination"),
        (good | {"StartTime": now, "EndTime": now}, "InvalidParameterCombination"),
        (good | {"ScanBy": "Sideways"}, "InvalidParameterValue"),
        (good | {"NextToken": "forged"}, "InvalidNextToken"),
        ({"MetricDataQueries": [one]}, "MissingParameter"),
        (data(fleet, now, query("ActiveInstances", {}, period=61)), "InvalidParameterValue"),
        (data(fleet, now, query("ActiveInstances", {}, stat="Median")), "InvalidParameterValue"),
        (data(fleet, now, query("ActiveInstances", {}, Unit="Apples")), "InvalidParameterValue"),
    ]
    for parameters, code in bad:
        answer = ask_json(cloudwatch, "GetMetricData", parameters)
        assert (answer.code, answer.status) == (code, 400), parameters
        assert answer.headers["x-amzn-query-error"] == f"{code};Sender"
        cbor = ask_cbor(world.endpoint, TARGET, "GetMetricData", parameters, signing_name="monitoring")
        assert cbor.headers["x-amzn-query-error"] == f"{code};Sender"
    assert ask_json(cloudwatch, "ListMetrics", {"NextToken": "forged"}).code == "InvalidNextToken"
