//! Channels and silences as every host sets them up: what is refused, and in which words.

use liftdeck_api::delivery::SilenceDraft;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_model::Timestamp;
use liftdeck_model::channel::Channel;
use liftdeck_model::silence::{Silence, SilenceId};
use liftdeck_model::time::DAY_MS;
use liftdeck_store::{Reader, Writer};
use uuid::Uuid;

/// The longest reason, in characters.
const LONGEST_REASON: usize = 500;
/// The longest silence, in days: what is silenced for longer is forgotten.
const LONGEST_DAYS: i64 = 90;

/// Records a channel.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] when it cannot be used or would hold a secret.
pub async fn put_channel(writer: &Writer, channel: Channel) -> Result<(), AppError> {
    let channel = Channel { name: channel.name.trim().to_owned(), ..channel };
    channel.check().map_err(|why| AppError::new(ErrorKind::InvalidInput, why))?;
    Ok(writer.put_channel(channel).await?)
}

/// The channel of this name.
///
/// # Errors
/// [`ErrorKind::NotFound`], with the names of those there are.
pub async fn find_channel(reader: &Reader, name: &str) -> Result<Channel, AppError> {
    let channels = reader.channels().await?;
    let names: Vec<&str> = channels.iter().map(|channel| channel.name.as_str()).collect();
    let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let message = format!("There is no channel {name}. There is {there}.");
    let found = channels.iter().find(|channel| channel.name == name).cloned();
    found.ok_or_else(|| AppError::new(ErrorKind::NotFound, message))
}

/// A silence by this computer's user.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] without a reason, for one that would never be in force, and for one longer than 90
/// days.
pub fn silence_of(draft: SilenceDraft, now: Timestamp) -> Result<Silence, AppError> {
    let refuse = |why: String| Err(AppError::new(ErrorKind::InvalidInput, why));
    let reason = draft.reason.trim().to_owned();
    if reason.is_empty() || reason.chars().count() > LONGEST_REASON {
        return refuse(format!("A silence needs a reason of at most {LONGEST_REASON} characters."));
    }
    let from = draft.from.unwrap_or(now);
    if draft.until <= now || draft.until <= from {
        return refuse("A silence ends later than it begins, and later than now.".to_owned());
    }
    if draft.until.since_ms(from) > LONGEST_DAYS * DAY_MS {
        return refuse(format!("A silence lasts {LONGEST_DAYS} days at most. Turn the channel off instead."));
    }
    Ok(Silence {
        id: SilenceId::new(Uuid::new_v4().to_string()),
        matchers: draft.matchers,
        from,
        until: Some(draft.until),
        author: crate::user::name().unwrap_or_default(),
        reason,
        ended_at: None,
        ended_by: None,
    })
}

/// Records a silence.
///
/// # Errors
/// When it could not be written.
pub async fn add_silence(writer: &Writer, silence: Silence) -> Result<(), AppError> {
    Ok(writer.add_silence(silence).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

    fn draft(reason: &str, until_ms: i64) -> SilenceDraft {
        let until = NOW.plus_ms(until_ms);
        SilenceDraft { matchers: Default::default(), from: None, until, reason: reason.to_owned() }
    }

    #[test]
    fn a_silence_needs_a_reason_and_an_end_within_three_months() {
        assert_eq!(silence_of(draft(" load test ", 60_000), NOW).unwrap().reason, "load test");
        for (reason, until_ms) in [(" ", 60_000), ("load test", 0), ("load test", 91 * DAY_MS)] {
            let refused = silence_of(draft(reason, until_ms), NOW).unwrap_err();
            assert_eq!(refused.kind, ErrorKind::InvalidInput, "{reason} {until_ms}");
        }
    }
}
