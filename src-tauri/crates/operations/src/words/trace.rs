//! What AWS shows of an unanswered change.
//!
//! These are parts of sentences. They follow “Seen:” or “Not known yet:”, so each begins with a small letter or a
//! name.

use liftdeck_model::activity::FactChange;
use liftdeck_model::game_session::GameSessionStatus;
use liftdeck_model::matchmaking::TicketStatus;
use liftdeck_model::placement::PlacementStatus;
use liftdeck_model::{AliasId, Timestamp};

use super::said::said;

said! {
    /// What AWS shows of an unanswered change.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Trace {
        SessionThere { status: GameSessionStatus } => "the game session exists and is {status}.";
        NoSessionWithToken => "there is no game session with this idempotency token.";
        AliasLeadsNowhere => "the alias points to no fleet to look in.";
        PlacementOlder => "a placement with this id was started long before, and AWS accepts an id only once.";
        PlacementIs { status: PlacementStatus } => "the placement is {status}.";
        QueueThere => "a queue with this name and these settings exists.";
        QueueOtherwise => "a queue with this name exists, with other settings.";
        NoQueue => "there is no queue with this name.";
        NoPlacement => "GameLift knows no placement with this id.";
        PlacementForgotten => "GameLift no longer knows the placement.";
        TicketOlder => "a ticket with this id was started long before, and AWS accepts an id only once.";
        TicketIs { status: TicketStatus } => "the ticket is {status}.";
        NoTicket => "FlexMatch knows no ticket with this id.";
        TicketForgotten => "FlexMatch no longer knows the ticket.";
        EverybodyAccepted { status: TicketStatus } => "the ticket is {status}, so everybody has accepted.";
        MatchNotAccepted { status: TicketStatus } => "the ticket is {status}, so the match was not accepted.";
        AnswersHidden { status: TicketStatus } => "the ticket is {status}; AWS does not show single answers.";
        SessionNotListed => "GameLift no longer lists the game session.";
        SessionGoesOn => "the game session is still running.";
        SessionIs { status: GameSessionStatus, since: Option<Timestamp> } => "the game session is {status}{}.", ago(since);
        EverybodyHasSlot => "every player has had a slot reserved since then.";
        NobodyHasSlot => "no player has had a slot reserved since then.";
        SomeHaveSlots => "some of the players have had slots reserved since then, some have not.";
        NoAlias => "no such alias was created since.";
        AliasThere { alias: AliasId, since: Option<Timestamp> } => "the alias {alias} exists{}.", ago(since);
        SeveralAliases { count: usize } => "{count} such aliases were made since.";
        NoScript => "the script no longer exists.";
        VersionIs { version: Option<String> } => "the version is {}.", version.as_deref().unwrap_or("absent");
        FilesAlike => "version and size are the same before and after, and AWS shows nothing else.";
        SizeIs { size: Option<String> } => "its size is {}.", size.as_deref().unwrap_or("unknown");
        Stands { facts: Vec<FactChange>, since: Option<Timestamp> } => "{}{}.", shown(facts), ago(since);
        StandsAsBefore { facts: Vec<FactChange> } => "{}. That is as it was before.", shown(facts);
        StandsOtherwise { facts: Vec<FactChange> } =>
            "{}. That is neither what was asked for nor what was there before: someone else may have changed it since.",
            shown(facts);
    }
}

/// Since when something is so, if AWS tells it.
fn ago(since: &Option<Timestamp>) -> String {
    since.map(|since| format!(", since {}", since.in_utc())).unwrap_or_default()
}

/// Settings as they are now.
fn shown(facts: &[FactChange]) -> String {
    let shown =
        facts.iter().map(|fact| format!("{} is {}", fact.label, fact.before.as_deref().unwrap_or("absent")));
    shown.collect::<Vec<_>>().join(", ").trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_when_is_told_where_aws_tells() {
        let at = Timestamp::from_ms(0);
        assert_eq!(ago(&None), "");
        assert_eq!(ago(&Some(at)), format!(", since {}", at.in_utc()));
        assert!(ago(&Some(at)).contains("1970"));
        let ended = Trace::SessionIs { status: GameSessionStatus::Terminated, since: Some(at) };
        assert_eq!(ended.to_string(), format!("the game session is TERMINATED, since {}.", at.in_utc()));
    }
}
