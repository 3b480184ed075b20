//! Rules of one's own: one for each name, and one in the place of another.

use liftdeck_model::Severity;
use liftdeck_model::custom_rule::{Compare, CustomRule, KeptRule, QueryPer, Watched};

use crate::fixture::{NOW, Place};

fn kept(name: &str, raise: f64) -> KeptRule {
    let watched = Watched::Query { query: "players:0".to_owned(), per: QueryPer::All, share_of: None };
    let rule = CustomRule {
        name: name.to_owned(),
        watched,
        compare: Compare::Above,
        raise,
        clear: 1.0,
        pending_ms: 0,
        severity: Severity::Bad,
        is_off: false,
    };
    KeptRule { rule, at: NOW, by: "mia".to_owned() }
}

#[tokio::test]
async fn a_rule_replaces_the_one_of_its_name_or_the_one_it_is_said_to_and_is_deleted_alone() {
    let place = Place::new();
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    for one in [kept("Empty", 5.0), kept("crowded", 9.0), kept("Empty", 7.0)] {
        writer.put_custom_rule(one, None).await.unwrap();
    }
    assert_eq!(reader.custom_rules().await.unwrap(), [kept("crowded", 9.0), kept("Empty", 7.0)]);
    writer.put_custom_rule(kept("Lonely", 7.0), Some("Empty".to_owned())).await.unwrap();
    writer.remove_custom_rule("never was").await.unwrap();
    assert_eq!(reader.custom_rules().await.unwrap(), [kept("crowded", 9.0), kept("Lonely", 7.0)]);
    writer.remove_custom_rule("crowded").await.unwrap();
    assert_eq!(reader.custom_rules().await.unwrap(), [kept("Lonely", 7.0)]);
    store.close().await;
}
