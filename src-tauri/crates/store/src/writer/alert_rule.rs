//! Writes what a person has set about rules. Deliberately decides nothing.

use liftdeck_model::alert_rule::{Adjustment, RuleScope};

use crate::error::StoreError;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    pub(super) async fn put_adjustment(&mut self, adjustment: &Adjustment) -> Result<(), StoreError> {
        let [region, fleet_id] = columns(&adjustment.setting.scope);
        sqlx::query(
            "INSERT INTO alert_rule (rule, region, fleet_id, document) VALUES (?, ?, ?, ?) \
             ON CONFLICT (rule, region, fleet_id) DO UPDATE SET document = excluded.document",
        )
        .bind(&adjustment.setting.rule)
        .bind(region)
        .bind(fleet_id)
        // Plain values: writing them cannot fail.
        .bind(serde_json::to_string(adjustment).unwrap_or_default())
        .execute(self.write().await?)
        .await?;
        Ok(())
    }

    /// Forgets an adjustment; it is not an error if there is none.
    pub(super) async fn remove_adjustment(
        &mut self,
        rule: &str,
        scope: &RuleScope,
    ) -> Result<(), StoreError> {
        let [region, fleet_id] = columns(scope);
        sqlx::query("DELETE FROM alert_rule WHERE rule = ? AND region = ? AND fleet_id = ?")
            .bind(rule)
            .bind(region)
            .bind(fleet_id)
            .execute(self.write().await?)
            .await?;
        Ok(())
    }
}

fn columns(scope: &RuleScope) -> [&str; 2] {
    [
        scope.region.as_ref().map_or("", |region| region.as_str()),
        scope.fleet_id.as_ref().map_or("", |fleet| fleet.as_str()),
    ]
}
