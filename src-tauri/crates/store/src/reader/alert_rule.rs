//! Reads what a person has set about rules.

use liftdeck_model::alert_rule::Adjustment;

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

impl Reader {
    /// Every adjustment, by rule.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn adjustments(&self) -> Result<Vec<Adjustment>, StoreError> {
        let rows = sqlx::query("SELECT document FROM alert_rule ORDER BY rule, region, fleet_id")
            .fetch_all(self.pool())
            .await?;
        rows.iter().map(|row| row.json("document")).collect()
    }
}
