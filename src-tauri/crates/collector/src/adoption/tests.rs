//! When a queue may be adopted, and when its name has to be typed.

use liftdeck_gateway::Redrive;
use liftdeck_model::Region;

use super::*;

const NOW: Timestamp = Timestamp::from_ms(1_772_619_330_000);

fn look_of(waiting: Result<Waiting, Unseen>) -> QueueLook {
    let arn = "arn:aws:sqs:eu-west-1:111122223333:events".to_owned();
    QueueLook {
        queue: EventQueue {
            region: Region::from("eu-west-1"),
            url: "https://sqs.eu-west-1.amazonaws.com/111122223333/events".to_owned(),
        },
        account: AccountId::from("111122223333"),
        attributes: QueueAttributes {
            arn: Some(arn.clone()),
            created_at: Some(NOW.plus_ms(-1_000)),
            ..QueueAttributes::default()
        },
        arn,
        senders: Vec::new(),
        waiting,
        at: NOW,
    }
}

fn clean() -> QueueLook {
    look_of(Ok(Waiting { looked_at: 3, events: 3, ..Waiting::default() }))
}

fn mixed() -> QueueLook {
    look_of(Ok(Waiting { looked_at: 3, events: 1, foreign: 1, other_accounts: 1, ..Waiting::default() }))
}

fn adopt(look: &QueueLook, foreign: ForeignBodies, typed: Option<&str>) -> Result<Adoption, Refusal> {
    look.adopt(foreign, typed, Some("arn:aws:iam::111122223333:user/ops".to_owned()), NOW)
}

#[test]
fn a_queue_with_nothing_but_our_events_is_adopted_without_a_word() {
    let adoption = adopt(&clean(), ForeignBodies::Leave, None).unwrap();
    assert_eq!(adoption.queue_arn, clean().arn);
    assert_eq!(adoption.account(), Some(AccountId::from("111122223333")));
    assert!(clean().attributes.is_of(&adoption), "the claim recognises it");
}

#[test]
fn messages_of_others_ask_for_the_queues_name() {
    for typed in [None, Some(""), Some("Events"), Some("yes")] {
        let refused = adopt(&mixed(), ForeignBodies::Leave, typed).unwrap_err();
        assert!(matches!(&refused, Refusal::NotTyped { name, .. } if name == "events"), "{refused}");
        assert!(refused.to_string().contains("2 of the 3 messages"), "{refused}");
    }
    assert!(adopt(&mixed(), ForeignBodies::Leave, Some(" events ")).is_ok());
}

#[test]
fn a_dead_letter_rule_forbids_leaving_messages_of_others() {
    let mut look = mixed();
    look.attributes.redrive = Some(Redrive { dead_letter_arn: "dead".to_owned(), max_receives: 3 });
    let refused = adopt(&look, ForeignBodies::Leave, Some("events")).unwrap_err();
    assert!(matches!(refused, Refusal::DeadLetters { .. }));
    assert!(adopt(&look, ForeignBodies::SetAside, Some("events")).is_ok());
}

#[test]
fn what_was_not_looked_at_or_is_in_somebodys_hands_asks_for_the_queues_name() {
    let mut unseen = look_of(Err(Unseen::DeadLetterRule));
    assert!(adopt(&unseen, ForeignBodies::Leave, None).is_ok(), "it is empty");
    unseen.attributes.delayed = 1;
    assert!(matches!(adopt(&unseen, ForeignBodies::Leave, None), Err(Refusal::NotTyped { .. })));
    let mut read = clean();
    read.attributes.in_flight = 4;
    assert!(matches!(adopt(&read, ForeignBodies::Leave, None), Err(Refusal::NotTyped { .. })));
}

#[test]
fn a_queue_of_another_account_or_without_a_name_is_never_adopted() {
    let mut theirs = clean();
    theirs.arn = "arn:aws:sqs:eu-west-1:999900001111:events".to_owned();
    let refused = adopt(&theirs, ForeignBodies::SetAside, Some("events")).unwrap_err();
    assert!(matches!(refused, Refusal::OtherAccount { .. }));
    let mut nameless = clean();
    nameless.arn = String::new();
    assert!(matches!(adopt(&nameless, ForeignBodies::Leave, Some("")), Err(Refusal::Nameless { .. })));
    let mut dateless = clean();
    dateless.attributes.created_at = None;
    assert!(matches!(adopt(&dateless, ForeignBodies::Leave, None), Err(Refusal::Nameless { .. })));
}
