//! Reads rules of one's own.

use liftdeck_model::custom_rule::KeptRule;

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

impl Reader {
    /// Every rule of one's own, by name.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn custom_rules(&self) -> Result<Vec<KeptRule>, StoreError> {
        let rows = sqlx::query("SELECT document FROM custom_rule ORDER BY name COLLATE NOCASE, name")
            .fetch_all(self.pool())
            .await?;
        rows.iter().map(|row| row.json("document")).collect()
    }
}
