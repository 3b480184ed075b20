//! Writes rules of one's own. Deliberately decides nothing.

use liftdeck_model::custom_rule::KeptRule;

use crate::error::StoreError;
use crate::writer::transaction::Transaction;

impl Transaction<'_> {
    /// Writes a rule, in the place of the one named `replaces`.
    pub(super) async fn put_custom_rule(
        &mut self,
        rule: &KeptRule,
        replaces: Option<&str>,
    ) -> Result<(), StoreError> {
        if let Some(name) = replaces {
            self.remove_custom_rule(name).await?;
        }
        sqlx::query(
            "INSERT INTO custom_rule (name, document) VALUES (?, ?) \
             ON CONFLICT (name) DO UPDATE SET document = excluded.document",
        )
        .bind(&rule.rule.name)
        // Plain values: writing them cannot fail.
        .bind(serde_json::to_string(rule).unwrap_or_default())
        .execute(self.write().await?)
        .await?;
        Ok(())
    }

    /// Deletes a rule; it is not an error if there is none.
    pub(super) async fn remove_custom_rule(&mut self, name: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM custom_rule WHERE name = ?").bind(name).execute(self.write().await?).await?;
        Ok(())
    }
}
