//! What a person has set about rules: one for each rule and scope.

use liftdeck_model::alert_rule::{Adjustment, RuleScope, RuleSetting};

use crate::fixture::{NOW, Place};

fn adjustment(fleet_id: Option<&str>, pending_ms: i64) -> Adjustment {
    let scope = RuleScope { region: None, fleet_id: fleet_id.map(Into::into) };
    let setting = RuleSetting {
        rule: "capped".to_owned(),
        scope,
        is_off: false,
        pending_ms: Some(pending_ms),
        severity: None,
    };
    Adjustment { setting, at: NOW, by: "mia".to_owned() }
}

#[tokio::test]
async fn an_adjustment_replaces_the_one_for_the_same_and_is_forgotten_alone() {
    let place = Place::new();
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    for one in [adjustment(None, 1), adjustment(Some("fleet-1"), 2), adjustment(None, 3)] {
        writer.put_adjustment(one).await.unwrap();
    }
    let all = reader.adjustments().await.unwrap();
    assert_eq!(all, [adjustment(None, 3), adjustment(Some("fleet-1"), 2)]);
    writer.remove_adjustment("capped", RuleScope::default()).await.unwrap();
    writer.remove_adjustment("crashes", RuleScope::default()).await.unwrap();
    assert_eq!(reader.adjustments().await.unwrap(), [adjustment(Some("fleet-1"), 2)]);
    store.close().await;
}
