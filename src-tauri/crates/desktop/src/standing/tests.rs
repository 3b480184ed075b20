//! What stands on the desktop over the course of alerts.

use liftdeck_model::notification::Message;
use liftdeck_model::severity::Severity;

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);
const MINUTE: i64 = 60_000;

fn alert(id: &str, rule: &str, telling: Telling) -> ToldAlert {
    ToldAlert {
        id: id.into(),
        telling,
        severity: Severity::Warning,
        rule: rule.to_owned(),
        subject: id.to_owned(),
        region: Some("eu-west-1".into()),
        fleet_id: None,
        since: NOW,
        fired_at: Some(NOW),
        ended_at: None,
        acknowledged_by: None,
        title: format!("{id} is wrong"),
        detail: String::new(),
        cause: None,
    }
}

fn bad(id: &str, rule: &str, telling: Telling) -> ToldAlert {
    ToldAlert { severity: Severity::Bad, ..alert(id, rule, telling) }
}

/// Tells each group of alerts as a message of one look.
fn told(standing: &mut Standing, at_ms: i64, may_show: bool, groups: &[&[ToldAlert]]) -> Vec<Step> {
    let messages: Vec<Message> = groups.iter().map(|alerts| Message { alerts: alerts.to_vec() }).collect();
    let told = Told { connection: "live", name: "Live", messages: &messages };
    standing.told(told, may_show, NOW.plus_ms(at_ms))
}

/// Each step as key and title; `-` for one that is withdrawn.
fn short(steps: &[Step]) -> Vec<(Key, &str)> {
    let short = |step: &'_ Step| match step {
        Step::Show { key, .. } => *key,
        Step::Withdraw { key } => *key,
    };
    steps
        .iter()
        .map(|step| {
            let title = match step {
                Step::Show { notice, .. } => notice.title.as_str(),
                Step::Withdraw { .. } => "-",
            };
            (short(step), title)
        })
        .collect()
}

#[test]
fn an_alert_is_shown_and_withdrawn_with_its_end() {
    let mut standing = Standing::default();
    let steps = told(&mut standing, 0, true, &[&[alert("a", "capped", Telling::Fired)]]);
    assert_eq!(short(&steps), [(1, "Warning: a is wrong")]);
    let steps = told(&mut standing, MINUTE, true, &[&[alert("a", "capped", Telling::Resolved)]]);
    assert_eq!(short(&steps), [(1, "-")]);
    assert!(told(&mut standing, 2 * MINUTE, true, &[&[alert("a", "capped", Telling::Resolved)]]).is_empty());
}

#[test]
fn what_the_screen_says_already_is_not_shown_and_its_end_withdraws_nothing() {
    let mut standing = Standing::default();
    assert!(told(&mut standing, 0, false, &[&[alert("a", "capped", Telling::Fired)]]).is_empty());
    assert!(told(&mut standing, MINUTE, true, &[&[alert("a", "capped", Telling::Resolved)]]).is_empty());
    // What began out of sight ends also while somebody looks.
    told(&mut standing, 2 * MINUTE, true, &[&[alert("b", "capped", Telling::Fired)]]);
    let steps = told(&mut standing, 3 * MINUTE, false, &[&[alert("b", "capped", Telling::Resolved)]]);
    assert_eq!(short(&steps), [(1, "-")]);
}

#[test]
fn what_somebody_took_note_of_is_withdrawn_and_not_shown_in_the_first_place() {
    let mut standing = Standing::default();
    let known = ToldAlert { acknowledged_by: Some("mia".to_owned()), ..alert("a", "capped", Telling::Fired) };
    assert!(told(&mut standing, 0, true, &[&[known]]).is_empty());
    told(&mut standing, 0, true, &[&[alert("b", "capped", Telling::Fired)]]);
    let steps = told(&mut standing, MINUTE, true, &[&[alert("b", "capped", Telling::Acknowledged)]]);
    assert_eq!(short(&steps), [(1, "-")]);
}

#[test]
fn a_burst_is_one_notification_named_by_its_most_urgent_alert() {
    let mut standing = Standing::default();
    let first: &[ToldAlert] = &[alert("a", "capped", Telling::Fired), alert("b", "capped", Telling::Fired)];
    let steps = told(&mut standing, 0, true, &[first, &[bad("c", "crashes", Telling::Fired)]]);
    assert_eq!(short(&steps), [(1, "Bad: c is wrong, and 2 more")]);
    let steps = told(&mut standing, 20_000, true, &[&[alert("d", "placements", Telling::Fired)]]);
    assert_eq!(short(&steps), [(1, "Bad: c is wrong, and 3 more")]);
    let steps = told(&mut standing, 5 * MINUTE, true, &[&[alert("e", "tickets", Telling::Fired)]]);
    assert_eq!(short(&steps), [(2, "Warning: e is wrong")]);
    assert_eq!(standing.opened(1).as_deref(), Some("#/alerts/c"));
    assert_eq!(standing.opened(1), None, "a click answers it");
}

#[test]
fn a_group_keeps_its_notification_which_is_corrected_quietly_as_its_alerts_end() {
    let mut standing = Standing::default();
    told(&mut standing, 0, true, &[&[bad("a", "capped", Telling::Fired)]]);
    let grown: &[ToldAlert] = &[alert("b", "capped", Telling::Fired), bad("a", "capped", Telling::Unchanged)];
    let steps = told(&mut standing, 6 * MINUTE, true, &[grown]);
    assert_eq!(short(&steps), [(1, "Bad: a is wrong, and 1 more")]);
    let ended: &[ToldAlert] =
        &[bad("a", "capped", Telling::Resolved), alert("b", "capped", Telling::Unchanged)];
    let steps = told(&mut standing, 7 * MINUTE, true, &[ended]);
    assert_eq!(short(&steps), [(1, "Warning: b is wrong")]);
    let Step::Show { notice, .. } = &steps[0] else { panic!("it is shown") };
    assert!(notice.is_quiet && !notice.is_urgent, "{notice:?}");
}

#[test]
fn what_got_worse_takes_the_place_of_what_was_said_before() {
    let mut standing = Standing::default();
    told(&mut standing, 0, true, &[&[alert("a", "capped", Telling::Fired)]]);
    let steps = told(&mut standing, 9 * MINUTE, true, &[&[bad("a", "capped", Telling::Worse)]]);
    assert_eq!(short(&steps), [(1, "Worse: a is wrong")]);
    let Step::Show { notice, .. } = &steps[0] else { panic!("it is shown") };
    assert!(notice.is_urgent && !notice.is_quiet, "{notice:?}");
}

#[test]
fn what_a_person_dismissed_does_not_come_back_with_the_end_of_a_part() {
    let mut standing = Standing::default();
    told(&mut standing, 0, true, &[&[alert("a", "x", Telling::Fired), alert("b", "x", Telling::Fired)]]);
    standing.gone(1);
    assert!(told(&mut standing, MINUTE, true, &[&[alert("a", "x", Telling::Resolved)]]).is_empty());
}

#[test]
fn a_connection_that_is_closed_takes_its_own_notifications_with_it() {
    let mut standing = Standing::default();
    told(&mut standing, 0, true, &[&[alert("a", "capped", Telling::Fired)]]);
    let messages = [Message { alerts: vec![alert("b", "capped", Telling::Fired)] }];
    standing.told(Told { connection: "test", name: "Test", messages: &messages }, true, NOW);
    assert_eq!(short(&standing.closed("live")), [(1, "-")]);
    assert_eq!(short(&standing.clear()), [(2, "-")]);
}

#[test]
fn the_text_says_what_where_and_since_when_and_hides_no_characters() {
    let mut standing = Standing::default();
    let wrong = ToldAlert {
        title: "arena\u{202e}evil is\nat its maximum".to_owned(),
        detail: "40 of 40 instances".to_owned(),
        cause: Some("the maximum was lowered".to_owned()),
        since: NOW.plus_ms(-86_400_000),
        ..alert("a", "capped", Telling::Fired)
    };
    let steps = told(&mut standing, 0, true, &[&[wrong]]);
    let Step::Show { notice, .. } = &steps[0] else { panic!("it is shown") };
    assert_eq!(notice.title, "Warning: arena⟨U+202E⟩evil is␊at its maximum");
    assert_eq!(
        notice.body,
        "eu-west-1, since 2026-03-03 10:00 UTC\n40 of 40 instances\nLikely cause: the maximum was lowered\nLive"
    );
}
