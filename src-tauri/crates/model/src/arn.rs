//! The parts of an ARN: account, Region and id. An ARN that lacks one, and any other text, names none.

use crate::id::{AccountId, Region};

/// The account in an ARN; `None` where the ARN names none.
pub fn account_of(arn: &str) -> Option<AccountId> {
    arn.strip_prefix("arn:")?.split(':').nth(3).filter(|part| !part.is_empty()).map(AccountId::from)
}

/// The Region in an ARN; `None` where the ARN names none.
pub fn region_of(arn: &str) -> Option<Region> {
    arn.strip_prefix("arn:")?.split(':').nth(2).filter(|part| !part.is_empty()).map(Region::from)
}

/// The id in an ARN of a fleet, an alias, a queue or a script; any other text unchanged.
pub fn id_of(text: &str) -> &str {
    if text.starts_with("arn:") { text.rsplit('/').next().unwrap_or(text) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_tells_its_account_and_region_and_may_tell_neither() {
        let queue = "arn:aws:sqs:eu-west-1:111122223333:shop:orders";
        assert_eq!(account_of(queue), Some(AccountId::from("111122223333")));
        assert_eq!(region_of(queue), Some(Region::from("eu-west-1")));
        assert_eq!(account_of("arn:aws:gamelift:eu-west-1::gamesession/f/s"), None);
        for text in ["", "arn:aws", "arn:aws:gamelift", "eu-west-1:a:b:c:d:e"] {
            assert_eq!((account_of(text), region_of(text)), (None, None), "{text}");
        }
    }

    #[test]
    fn an_arn_ends_with_the_id_and_an_id_is_one_already() {
        let arn = "arn:aws:gamelift:eu-west-1::fleet/fleet-1";
        assert_eq!((id_of(arn), region_of(arn)), ("fleet-1", Some(Region::from("eu-west-1"))));
        assert_eq!((id_of("fleet-1"), region_of("fleet-1")), ("fleet-1", None));
    }
}
