//! Players of a ticket, as written on a command line or in a file.

use std::path::PathBuf;

use clap::Args;
use liftdeck_model::action::{MatchPlayer, PlayerAttribute, RegionLatency};

use super::super::{Caller, Failure};

/// Players, either all with the same attributes and latencies, or each with its own from a file.
#[derive(Debug, Args)]
pub(super) struct Players {
    /// Players, as ID, or as ID=TEAM for a backfill
    #[arg(long = "player", num_args = 1.., value_name = "ID[=TEAM]", required_unless_present = "file")]
    players: Vec<MatchPlayer>,
    /// Attributes of each player; a value that looks like a number is sent as one
    #[arg(long = "attribute", value_name = "NAME=VALUE")]
    attributes: Vec<PlayerAttribute>,
    /// Latencies that each player measured
    #[arg(long = "latency", value_name = "REGION=MS")]
    latencies: Vec<RegionLatency>,
    /// A JSON list of players instead: [{"playerId", "team", "attributes": [{"name", "value": {"number": 1}}],
    /// "latencies": [{"region", "latencyMs"}]}]
    #[arg(long = "players", value_name = "FILE", conflicts_with_all = ["players", "attributes", "latencies"])]
    file: Option<PathBuf>,
}

impl Players {
    /// Reads the players from the options or the file.
    pub(super) fn read(&self, caller: &Caller) -> Result<Vec<MatchPlayer>, Failure> {
        if let Some(file) = &self.file {
            let wrong = |what: String| Failure::usage(format!("{} {what}.", file.display()));
            let text = std::fs::read_to_string(caller.path(file))
                .map_err(|error| wrong(format!("cannot be read: {error}")))?;
            return serde_json::from_str(&text)
                .map_err(|error| wrong(format!("holds no list of players: {error}")));
        }
        let player = |named: &MatchPlayer| MatchPlayer {
            attributes: self.attributes.clone(),
            latencies: self.latencies.clone(),
            ..named.clone()
        };
        Ok(self.players.iter().map(player).collect())
    }
}

#[cfg(test)]
mod tests {
    use liftdeck_model::action::AttributeValue;

    use super::*;

    #[test]
    fn players_of_a_command_line_share_what_was_measured() {
        let players = Players {
            players: vec!["ada".into(), "bo=red".into()],
            attributes: vec!["skill=23".parse().unwrap()],
            latencies: vec!["eu-west-1=20".parse().unwrap()],
            file: None,
        };
        let read = players.read(&Caller::own()).unwrap();
        assert_eq!((read[0].team.as_deref(), read[1].team.as_deref()), (None, Some("red")));
        assert_eq!((read[1].attributes[0].name.as_str(), read[1].latencies[0].latency_ms), ("skill", 20));
    }

    #[test]
    fn a_file_says_more_and_rubbish_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("players.json");
        let players = Players {
            players: Vec::new(),
            attributes: Vec::new(),
            latencies: Vec::new(),
            file: Some(file.clone()),
        };
        let json = r#"[{"playerId":"ada","team":null,"latencies":[],"attributes":[{"name":"maps","value":{"textList":["a"]}}]}]"#;
        let missing = players.read(&Caller::own()).unwrap_err();
        assert!(missing.is_usage() && missing.to_string().contains("cannot be read"), "{missing}");
        std::fs::write(&file, json).unwrap();
        assert_eq!(
            players.read(&Caller::own()).unwrap()[0].attributes[0].value,
            AttributeValue::TextList(vec!["a".to_owned()])
        );
        std::fs::write(&file, "rubbish").unwrap();
        assert!(players.read(&Caller::own()).unwrap_err().is_usage());
    }
}
