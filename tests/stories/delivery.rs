//! Alerts are told where people are, while no one looks: once each, through every kind of channel, and not while they
//! are silenced.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use liftdeck_tests::program::{Group, Simulation, command, eventually, rows, run, take_the_whole_budget};
use liftdeck_tests::receiver::{Received, Receiver};
use liftdeck_tests::sqs::Queue;
use serde_json::Value;

/// An alert waits half a minute for others; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(600);
/// What authorizes at PagerDuty.
const ROUTING_KEY: &str = "R0canaryRoutingKey";

struct Place<'a> {
    home: &'a Path,
    db: String,
    region: String,
    endpoint: String,
}

impl<'a> Place<'a> {
    /// A database of this name, for one Region of a world.
    fn of(home: &'a Path, name: &str, simulation: &Simulation) -> Self {
        Self {
            home,
            db: home.join(format!("{name}.sqlite")).to_string_lossy().into_owned(),
            region: "eu-west-1".to_owned(),
            endpoint: simulation.endpoint(),
        }
    }

    fn words<'w>(&'w self, words: &[&'w str]) -> Vec<&'w str> {
        let place = ["--db", &self.db, "--region", &self.region, "--endpoint-url", &self.endpoint];
        [words, &place].concat()
    }

    fn done(&self, words: &[&str]) {
        let ended = run(self.home, self.words(words));
        assert_eq!(ended.code, 0, "{words:?}: {}{}", ended.stdout, ended.stderr);
    }

    /// Puts a secret where only its owner may read it.
    fn secret(&self, name: &str, text: &str) -> String {
        let path = self.home.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        format!("file:{}", path.display())
    }

    /// Adds a rule of one's own that always finds something.
    fn has_few_instances(&self, fleet: &str) {
        let rule = ["alerts", "rule", "add", "Few instances", "--metric", "active-instances"];
        self.done(&[&rule[..], &["--fleet", fleet, "--below", "1000"]].concat());
    }

    fn collect(&self, environment: &[(&str, &str)]) -> Group {
        let mut command = command(self.home);
        command.args(self.words(&["collect"])).envs(environment.iter().copied());
        Group::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
    }
}

/// What a receiver was told of interruptions: a storm takes Spot instances at any time of day.
fn of_interruptions(received: &[Received]) -> Vec<&Received> {
    received.iter().filter(|one| one.text.contains("interrupted")).collect()
}

/// Fails if a message came twice, or an alert was told twice to have begun. Something else may well begin meanwhile, and
/// its message names what still fires.
fn assert_told_once(received: &[Received]) {
    let mut messages = HashSet::new();
    let mut begun = HashSet::new();
    for one in received {
        assert!(messages.insert(one.body["id"].as_str().unwrap()), "came twice: {}", one.text);
        for alert in one.body["alerts"].as_array().unwrap() {
            let id = alert["id"].as_str().unwrap();
            assert!(alert["telling"] != "fired" || begun.insert(id), "began twice: {}", one.text);
        }
    }
    assert!(!begun.is_empty(), "nothing was told");
}

#[test]
fn an_alert_is_told_once_on_every_channel_and_no_secret_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    take_the_whole_budget(home);
    let world = ["--scenario", "spot-storm", "--seed", "1", "--speed", "1", "--no-throttle"];
    let simulation = Simulation::start(home, &world);
    let receiver = Receiver::open(Duration::from_millis(20));
    let place = Place::of(home, "told", &simulation);
    let hook = place.secret("hook", &format!("{}/hook", receiver.address));
    let slack = place.secret("slack", &format!("{}/slack", receiver.address));
    let events = format!("{}/pagerduty", receiver.address);
    let queue = topic(&place);
    for words in [
        &["hook", "webhook", &hook, "--sign-with", "env:HOOK_KEY"][..],
        &["chat", "slack", &slack],
        &["pager", "pagerduty", "env:ROUTING_KEY", "--endpoint", &events],
        &["prometheus", "alertmanager", &receiver.address],
        &["topic", "sns", "arn:aws:sns:eu-west-1:111122223333:told"],
        &["elsewhere", "webhook", &hook, "--only-region", "us-east-1"],
    ] {
        place.done(&[&["alerts", "channel", "add"], words].concat());
    }
    let mut collecting = place.collect(&[("HOOK_KEY", "canarySigningKey"), ("ROUTING_KEY", ROUTING_KEY)]);
    let told = eventually(PATIENCE, "interruptions are told to the webhook", || {
        of_interruptions(&receiver.at("/hook")).first().map(|one| (*one).clone())
    });
    assert_eq!((told.body["telling"].as_str(), told.body["version"].as_u64()), (Some("fired"), Some(1)));
    assert_eq!(told.header("idempotency-key"), told.body["id"].as_str());
    assert!(told.header("x-liftdeck-signature").unwrap().starts_with("t="));
    let alert = &told.body["alerts"][0];
    assert_eq!(
        (alert["rule"].as_str(), alert["region"].as_str()),
        (Some("interruptions"), Some("eu-west-1"))
    );
    assert!(alert["likelyCause"].as_str().is_some(), "{alert}");

    let on = |path: &'static str| {
        eventually(PATIENCE, path, || of_interruptions(&receiver.at(path)).first().map(|one| (*one).clone()))
    };
    assert!(on("/slack").body["blocks"].as_array().unwrap().len() >= 3);
    let event = on("/pagerduty").body;
    assert_eq!(event["event_action"], "trigger");
    assert_eq!(
        (event["routing_key"].as_str(), event["payload"]["class"].as_str()),
        (Some(ROUTING_KEY), Some("interruptions"))
    );
    let posted = on("/api/v2/alerts").body;
    let posted =
        posted.as_array().unwrap().iter().find(|one| one["labels"]["alertname"] == "interruptions").unwrap();
    assert!(posted["endsAt"].as_str() > posted["startsAt"].as_str(), "it ends unless it is told again");
    let published = eventually(PATIENCE, "interruptions are published", || {
        let ask =
            serde_json::json!({ "QueueUrl": queue.url, "VisibilityTimeout": 0, "MaxNumberOfMessages": 10 });
        let got = queue.ask("ReceiveMessage", &ask);
        let bodies = got["Messages"].as_array()?.iter().filter_map(|one| one["Body"].as_str());
        bodies.map(str::to_owned).find(|body| body.contains("interrupted"))
    });
    assert!(published.contains("nextStep"), "programs are given the document: {published}");

    // The program is ended and begins again: nothing is told twice.
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
    let mut again = place.collect(&[("HOOK_KEY", "canarySigningKey"), ("ROUTING_KEY", ROUTING_KEY)]);
    let cycles = receiver.at("/api/v2/alerts").len();
    eventually(PATIENCE, "an Alertmanager is told again what fires", || {
        (receiver.at("/api/v2/alerts").len() > cycles).then_some(())
    });
    assert_told_once(&receiver.at("/hook"));

    // A test takes the same way, through the program that has the database open.
    let tested = run(home, ["alerts", "channel", "test", "hook", "--db", &place.db]);
    assert_eq!(tested.code, 0, "{}{}", tested.stdout, tested.stderr);
    assert!(receiver.at("/hook").iter().any(|one| one.body["telling"] == "test"));
    receiver.answer_next("403 Forbidden");
    let refused = run(home, ["alerts", "channel", "test", "hook", "--db", &place.db]);
    assert!(refused.code == 1 && refused.stderr.contains("403"), "{}", refused.stderr);
    again.signal("-TERM");
    assert_eq!(again.wait(PATIENCE), 0);
    let channels = rows(home, Path::new(&place.db), &["alerts", "channels"]);
    let hook = channels.iter().find(|one| one["name"] == "hook").unwrap();
    assert_eq!(hook["last_state"], "failed", "{hook}");
    for kept in ["told.sqlite", "told.sqlite-wal"] {
        let Ok(bytes) = fs::read(home.join(kept)) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let addresses = ["/hook", "/slack"].map(|path| format!("{}{path}", receiver.address));
        for secret in [ROUTING_KEY, "canarySigningKey", &addresses[0], &addresses[1]] {
            assert!(!text.contains(secret), "{kept} holds {secret}");
        }
    }
}

/// A topic, and a queue that what is published there is sent to.
fn topic(place: &Place<'_>) -> Queue {
    let queue = Queue::create(&place.endpoint, &place.region, "heard");
    // A queue takes only what its policy lets in.
    let arn = "arn:aws:sqs:eu-west-1:111122223333:heard";
    let policy = serde_json::json!({ "Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": { "Service": "sns.amazonaws.com" }, "Action": "sqs:SendMessage",
        "Resource": arn }] });
    let attributes = serde_json::json!({ "Policy": policy.to_string() });
    queue.ask("SetQueueAttributes", &serde_json::json!({ "QueueUrl": queue.url, "Attributes": attributes }));
    let ask = |action: &str, more: &str| {
        let scope = "AKIDEXAMPLE/20261121/eu-west-1/sns/aws4_request";
        let signed = format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00");
        let body = format!("Action={action}&Version=2010-03-31&{more}");
        let request = ureq::post(&place.endpoint).header("authorization", signed);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request.send(body).expect(action)
    };
    ask("CreateTopic", "Name=told");
    ask(
        "Subscribe",
        "TopicArn=arn%3Aaws%3Asns%3Aeu-west-1%3A111122223333%3Atold&Protocol=sqs\
         &Endpoint=arn%3Aaws%3Asqs%3Aeu-west-1%3A111122223333%3Aheard",
    );
    queue
}

#[test]
fn what_is_silenced_is_shown_and_told_once_the_silence_is_ended() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    take_the_whole_budget(home);
    let world = ["--scenario", "spot-storm", "--seed", "1", "--speed", "1", "--no-throttle"];
    let simulation = Simulation::start(home, &world);
    let receiver = Receiver::open(Duration::ZERO);
    let place = Place::of(home, "silenced", &simulation);
    let hook = place.secret("hook", &format!("{}/hook", receiver.address));
    place.done(&["alerts", "channel", "add", "hook", "webhook", &hook]);
    place.done(&["alerts", "silence", "--rule", "interruptions", "--for", "2h", "--reason", "we know"]);
    let mut collecting = place.collect(&[]);
    let alerts = || rows(home, Path::new(&place.db), &["alerts"]);
    let interruptions = |alerts: Vec<Value>| alerts.into_iter().find(|one| one["rule"] == "interruptions");
    let shown = eventually(PATIENCE, "interruptions are shown", || interruptions(alerts()));
    assert_eq!(shown["silenced_reason"], "we know", "{shown}");
    let silence = rows(home, Path::new(&place.db), &["alerts", "silences"]).remove(0);
    assert!(of_interruptions(&receiver.at("/hook")).is_empty());
    let id = silence["id"].as_str().unwrap();
    let ended = run(home, ["alerts", "unsilence", id, "--db", &place.db]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    eventually(PATIENCE, "what still fires is told", || {
        (!of_interruptions(&receiver.at("/hook")).is_empty()).then_some(())
    });
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
}

/// A world with a fleet of which one rule of one's own always has something to tell, and a hook that takes nothing else:
/// no other alert changes what is said.
fn with_one_alert(place: &Place<'_>, hook: &str) -> Group {
    place.done(&["alerts", "channel", "add", "hook", "webhook", hook, "--rule", "own:Few instances"]);
    let collecting = place.collect(&[]);
    let fleet = eventually(PATIENCE, "a fleet with instances", || {
        let fleets = rows(place.home, Path::new(&place.db), &["fleet", "list"]);
        let has = fleets.into_iter().find(|row| row["active_instances"].as_i64().is_some_and(|it| it > 1))?;
        Some(has["fleet_id"].as_str()?.to_owned())
    });
    place.has_few_instances(&fleet);
    collecting
}

#[test]
fn what_fails_in_passing_is_tried_again_under_the_same_id_until_it_arrives() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    take_the_whole_budget(home);
    let world = ["--scenario", "quiet", "--seed", "1", "--speed", "1", "--no-throttle"];
    let simulation = Simulation::start(home, &world);
    let receiver = Receiver::open(Duration::ZERO);
    let place = Place::of(home, "passing", &simulation);
    receiver.answer_next("500 Internal Server Error");
    receiver.answer_next("429 Too Many Requests\r\nretry-after: 1");
    receiver.hang_up_next();
    let hook = place.secret("hook", &format!("{}/hook", receiver.address));
    let mut collecting = with_one_alert(&place, &hook);
    let channel = || rows(home, Path::new(&place.db), &["alerts", "channels"]).remove(0);
    eventually(PATIENCE, "it arrives at last", || (channel()["last_state"] == "delivered").then_some(()));
    let sent = receiver.at("/hook");
    assert_eq!(sent.len(), 4, "three attempts failed and the fourth did not: {sent:?}");
    let ids: Vec<_> = sent.iter().map(|one| one.header("idempotency-key")).collect();
    assert!(ids[0].is_some() && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
}

/// Longer than any story lasts: only a channel that is put right ends such a pause.
const FOR_AN_HOUR: &str = "429 Too Many Requests\r\nretry-after: 3600";

#[test]
fn what_a_channel_refused_is_said_there_and_told_once_the_channel_is_put_right() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    take_the_whole_budget(home);
    let world = ["--scenario", "quiet", "--seed", "1", "--speed", "1", "--no-throttle"];
    let simulation = Simulation::start(home, &world);
    let receiver = Receiver::open(Duration::ZERO);
    let place = Place::of(home, "refused", &simulation);
    for refusal in ["403 Forbidden", "301 Moved Permanently\r\nlocation: /elsewhere", FOR_AN_HOUR] {
        receiver.answer_next(refusal);
    }
    let hook = place.secret("hook", &format!("{}/hook", receiver.address));
    let mut collecting = with_one_alert(&place, &hook);
    let named = |name: &'static str| {
        let channels = rows(home, Path::new(&place.db), &["alerts", "channels"]);
        channels.into_iter().find(|one| one["name"] == name).unwrap()
    };
    let channel = || named("hook");
    let says = |status: &str| {
        eventually(PATIENCE, status, || {
            let shown = channel();
            let is_said = shown["detail"].as_str().is_some_and(|why| why.contains(status));
            is_said.then_some(shown)
        })
    };
    let refused = says("403");
    assert_eq!((refused["last_state"].as_str(), refused["waiting"].as_u64()), (Some("waiting"), Some(1)));
    says("301");
    says("429");
    // Neither the natural pause nor a start would bring it so soon: a test that arrives does.
    let tested = run(home, ["alerts", "channel", "test", "hook", "--db", &place.db]);
    assert_eq!(tested.code, 0, "{}{}", tested.stdout, tested.stderr);
    let delivered = |wanted: usize| {
        eventually(PATIENCE, "what still fires is told", || {
            let told = receiver.at("/hook").into_iter().filter(|one| one.body["telling"] == "fired").count();
            (told == wanted && channel()["waiting"] == 0).then_some(())
        });
    };
    delivered(4);

    // A topic that is made only later.
    let arn = "arn:aws:sns:eu-west-1:111122223333:told";
    place.done(&["alerts", "channel", "add", "topic", "sns", arn, "--rule", "own:Few instances"]);
    eventually(PATIENCE, "there is no such topic", || {
        let shown = named("topic");
        (shown["last_state"] == "waiting" && shown["detail"].is_string()).then_some(())
    });
    let queue = topic(&place);
    let tested = run(home, ["alerts", "channel", "test", "topic", "--db", &place.db]);
    assert_eq!(tested.code, 0, "{}{}", tested.stdout, tested.stderr);
    eventually(PATIENCE, "what still fires is published", || {
        let ask =
            serde_json::json!({ "QueueUrl": queue.url, "VisibilityTimeout": 0, "MaxNumberOfMessages": 10 });
        let got = queue.ask("ReceiveMessage", &ask);
        let mut bodies = got["Messages"].as_array()?.iter().filter_map(|one| one["Body"].as_str());
        bodies.any(|body| body.contains("own:Few instances")).then_some(())
    });

    // The same with another address, which is not tested.
    receiver.answer_next(FOR_AN_HOUR);
    place.done(&["alerts", "channel", "add", "second", "webhook", &hook, "--rule", "own:Few instances"]);
    eventually(PATIENCE, "the second channel is refused", || {
        named("second")["detail"].as_str().is_some_and(|why| why.contains("429")).then_some(())
    });
    let elsewhere = place.secret("elsewhere", &format!("{}/elsewhere", receiver.address));
    let add = ["alerts", "channel", "add", "second", "webhook", &elsewhere, "--rule", "own:Few instances"];
    place.done(&add);
    eventually(PATIENCE, "what still fires is told at the new address", || {
        receiver.at("/elsewhere").iter().any(|one| one.body["telling"] == "fired").then_some(())
    });

    // The same with one that is switched off while it is put right.
    receiver.answer_next(FOR_AN_HOUR);
    let third = place.secret("third", &format!("{}/third", receiver.address));
    let add = ["alerts", "channel", "add", "third", "webhook", &third, "--rule", "own:Few instances"];
    place.done(&add);
    eventually(PATIENCE, "the third channel is refused", || {
        named("third")["detail"].as_str().is_some_and(|why| why.contains("429")).then_some(())
    });
    place.done(&[&add[..], &["--off"]].concat());
    eventually(PATIENCE, "nothing waits for what is off", || (named("third")["waiting"] == 0).then_some(()));
    place.done(&add);
    eventually(PATIENCE, "what still fires is told to what is on again", || {
        (receiver.at("/third").len() > 1).then_some(())
    });
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
}

#[test]
fn what_a_drain_causes_is_shown_with_the_drain_as_its_reason_and_told_to_nobody() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    take_the_whole_budget(home);
    let world = ["--scenario", "quiet", "--seed", "1", "--speed", "1", "--no-throttle"];
    let simulation = Simulation::start(home, &world);
    let receiver = Receiver::open(Duration::ZERO);
    let place = Place::of(home, "drained", &simulation);
    let hook = place.secret("hook", &format!("{}/hook", receiver.address));
    place.done(&["alerts", "channel", "add", "hook", "webhook", &hook]);
    let mut collecting = place.collect(&[]);
    let read = |words: &[&str]| rows(home, Path::new(&place.db), words);
    let live = eventually(PATIENCE, "the fleet that the live alias leads to", || {
        let alias = read(&["alias", "list"]).into_iter().find(|row| row["name"] == "arena-live-eu")?;
        let fleet = alias["fleet_id"].as_str()?.to_owned();
        read(&["fleet", "list"]).iter().any(|row| row["fleet_id"] == *fleet).then_some(fleet)
    });
    // The policy asks for more instances than it can get, so that the fleet lacks some as soon as its scaling is
    // suspended, however far the world has moved meanwhile.
    let truth = simulation.get(&format!("/_simulator/truth?region={}", place.region));
    let policies = truth["ScalingPolicies"].as_array().unwrap();
    let of_fleet = |one: &&Value| one["FleetId"] == *live && one["PolicyType"] == "TargetBased";
    let policy = policies.iter().find(of_fleet).unwrap()["Name"].as_str().unwrap();
    place.done(&["fleet", "policy", "put", &live, policy, "--target", "95", "--no-wait", "--yes"]);
    let mut drain = command(home);
    drain.args(place.words(&["fleet", "drain", &live, "--keep-instances", "--yes", "--confirm", "drained"]));
    let drain = Group::spawn(drain.stdout(Stdio::null()).stderr(Stdio::null()));
    let shown = eventually(PATIENCE, "the fleet lacks instances", || {
        let mut alerts = read(&["alerts"]).into_iter();
        alerts.find(|one| one["rule"] == "scaling-suspended" && one["state"] == "firing")
    });
    assert_eq!(shown["fleet_id"], *live, "{shown}");
    let title = read(&["activity", "runs"]).remove(0)["title"].as_str().unwrap().to_owned();
    assert_eq!(shown["silenced_reason"], format!("the run \"{title}\" goes on"), "{shown}");
    // What fires later is told later, so a message about this would have come before.
    place.has_few_instances(&live);
    let told = eventually(PATIENCE, "what the drain does not cause is told", || {
        let told = receiver.at("/hook");
        told.iter().any(|one| one.text.contains("own:Few instances")).then_some(told)
    });
    assert!(told.iter().all(|one| !one.text.contains("scaling-suspended")), "{told:?}");
    drop(drain);
    collecting.signal("-TERM");
    assert_eq!(collecting.wait(PATIENCE), 0);
}
