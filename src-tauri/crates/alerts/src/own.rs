//! Rules of one's own, looked at while data is collected: each once a minute, and never for long at a time.
//!
//! Owns when a rule is due, and what was last seen of each. Deliberately judges nothing: `insight` does.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use liftdeck_insight::custom::{CustomLook, STEP_MS, custom_look, watched_fleets};
use liftdeck_model::Timestamp;
use liftdeck_model::alert::AlertRecord;
use liftdeck_model::custom_rule::CustomRule;
use liftdeck_store::{Reader, StoreError};

use crate::judge::Own;

/// How long rules of one's own may be looked at in one go. The rest waits for the next look, the oldest first.
const AT_ONCE: Duration = Duration::from_millis(500);
/// What was seen longer ago than this, in milliseconds, says nothing any more.
const FORGOTTEN_MS: i64 = 5 * 60_000;

/// What was last seen of each rule.
#[derive(Debug, Default)]
pub(crate) struct OwnRules {
    looked: Vec<(Timestamp, CustomLook)>,
    not_looked: Vec<String>,
    looks: Vec<CustomLook>,
}

impl OwnRules {
    /// Looks at what is due: values are there by the minute, so looking more often would show nothing new.
    pub(crate) async fn look(
        &mut self,
        reader: &Reader,
        open: &[AlertRecord],
        now: Timestamp,
    ) -> Result<Own<'_>, StoreError> {
        let kept = reader.custom_rules().await?;
        let rules: Vec<CustomRule> =
            kept.into_iter().map(|kept| kept.rule).filter(|rule| !rule.is_off).collect();
        let minute = now.floor_to_ms(STEP_MS);
        // A rule that was edited is another one.
        self.looked.retain(|(at, look)| now.since_ms(*at) < FORGOTTEN_MS && rules.contains(&look.rule));
        let looked_at = |rule: &CustomRule, looked: &[(Timestamp, CustomLook)]| {
            looked.iter().find(|(_, look)| look.rule == *rule).map(|(at, _)| *at)
        };
        let mut due: Vec<(Option<Timestamp>, &CustomRule)> = rules
            .iter()
            .map(|rule| (looked_at(rule, &self.looked), rule))
            .filter(|(at, _)| *at != Some(minute))
            .collect();
        if !due.is_empty() {
            due.sort_by_key(|(at, _)| *at);
            let fleets = watched_fleets(reader, now).await?;
            let began = Instant::now();
            for (_, rule) in due {
                let key = rule.key();
                let in_force: HashSet<&str> = open
                    .iter()
                    .filter(|alert| alert.rule == key)
                    .map(|alert| alert.subject.as_str())
                    .collect();
                match custom_look(reader, rule, &fleets, |subject| in_force.contains(subject), now).await {
                    Ok(look) => {
                        self.looked.retain(|(_, known)| known.rule != *rule);
                        self.looked.push((minute, look));
                    }
                    // A query that an earlier version could read: the others are not to suffer from it.
                    Err(error @ StoreError::Unreadable { .. }) => {
                        tracing::warn!(%error, rule = rule.name, "A rule could not be looked at.");
                    }
                    Err(error) => return Err(error),
                }
                if began.elapsed() >= AT_ONCE {
                    break;
                }
            }
        }
        self.looks = self.looked.iter().map(|(_, look)| look.clone()).collect();
        let is_looked = |rule: &&CustomRule| looked_at(rule, &self.looked).is_none();
        self.not_looked = rules.iter().filter(is_looked).map(CustomRule::key).collect();
        Ok(Own { looks: &self.looks, not_looked: &self.not_looked })
    }
}
