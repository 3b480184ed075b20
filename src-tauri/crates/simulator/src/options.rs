//! How to start a simulator: the options of the process API and their form on the command line.
//!
//! Reads the files they name; starts nothing.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;

use crate::fault::{FaultPlan, PlanError};
use crate::identity::Credentials;
use liftdeck_simulated_world::{Scenario, UnknownScenario};

/// How CloudTrail and EventBridge tell of the account's API calls. Rules of the fault plan come first.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TrailOptions {
    /// Virtual seconds until every event arrives. If absent, each has a delay of its own: 1 to 15 minutes in the event
    /// history, few of them 25 to 85, and some seconds to 4 minutes through EventBridge.
    pub delay_s: Option<u32>,
    /// The share of events that never arrive, 0 to 1; two in a thousand if absent.
    pub missing: Option<f64>,
    /// Whether the account has a trail, by which the records of GameLift's changes are on EventBridge's default bus,
    /// and a rule that sends them to the event queue of their region.
    pub event_bridge: bool,
}

/// The options a simulator is started with.
#[derive(Debug, Clone)]
pub struct SimulatorOptions {
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The scenario of the world.
    pub scenario: Scenario,
    /// The world's seed: the same seed, scenario and start give the same world.
    pub seed: u64,
    /// Virtual seconds per real second; 0 freezes the world.
    pub speed: f64,
    /// Virtual time at the start, in milliseconds since the epoch. If absent, the wall clock, so that live records
    /// look live.
    pub start_ms: Option<i64>,
    /// The fault plan at the start.
    pub faults: FaultPlan,
    /// Whether the published request rates are enforced.
    pub throttle: bool,
    /// Whether responses carry a `Date` as AWS's do. It is this computer's own time, by which clients sign. A world
    /// whose virtual time is set by a test has no such date to send.
    pub dated: bool,
    /// The credentials that are expired, unknown, restricted or of another account, and the roles of the account.
    pub credentials: Credentials,
    /// How CloudTrail and EventBridge tell of API calls.
    pub trail: TrailOptions,
    /// Whether this process keeps the initial world and starts the next simulator with the same seed, scenario and
    /// start from a copy. This is for tests that start many simulators. Kept worlds stay until the process ends.
    pub keep: bool,
}

impl Default for SimulatorOptions {
    fn default() -> SimulatorOptions {
        SimulatorOptions {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            scenario: Scenario::default(),
            seed: 1,
            speed: 1.0,
            start_ms: None,
            faults: FaultPlan::default(),
            throttle: true,
            dated: false,
            credentials: Credentials::default(),
            trail: TrailOptions::default(),
            keep: false,
        }
    }
}

/// The manual of `liftdeck simulate`.
const MANUAL: &str = "\
When it is ready it prints one line of JSON: the endpoint, the account,
the regions, the event queue of each region, the scenario and the seed.
Point any AWS client at the endpoint (AWS_ENDPOINT_URL), with any
credentials: a request reaches the region it is signed for.

Control plane, on the same port:
  GET  /_simulator/truth?region=R  the world's own records
  POST /_simulator/advance         {\"seconds\": N} moves virtual time
  GET  /_simulator/calls           calls by region and operation
  POST /_simulator/faults          {\"fault\": [...]} replaces the plan
  POST /_simulator/credentials     replaces the credentials and roles

A fault plan is a TOML file of [[fault]] tables, all members optional:
  operation    an action: \"gamelift:Describe*\", \"sqs:*\" (\"*\")
  region       \"eu-*\" (\"*\")
  kind         latency, throttle, status, empty-status, html, truncate,
               garble, reset, stall, repeat-token, wrong-token,
               repeat-row, duplicate, clock-skew, trail-delay,
               trail-missing (\"latency\")
  latency_ms   real milliseconds before anything happens (0)
  status       of status, empty-status and html (503)
  skew_s       seconds the clock of clock-skew is ahead (3600)
  delay_s      seconds until the event of trail-delay arrives (3600)
  probability  that a matching request is struck (1.0)
  skip         matching requests that pass first (0)
  count        maximum number of requests hit (no limit)

Credentials are good unless --expired, --unknown or --deny names their key,
and of the world's account unless --foreign does. Temporary ones (ASIA...)
are good if this simulator's STS gave them out: --credentials names roles.
Requests must be signed, but signatures are not verified.

Clients step by step, scenarios and what to notice in them, and where the
simulator knowingly differs from AWS: MANUAL.md in src-tauri/crates/simulator.";

/// The arguments of `liftdeck simulate`.
#[derive(Debug, Clone, Args)]
#[command(after_help = MANUAL)]
pub struct SimulateArgs {
    /// Where to listen; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDRESS")]
    pub listen: SocketAddr,
    /// What happens in the world; two scenarios joined by `+` are played at once
    #[arg(long, default_value_t, value_name = "NAME", value_parser = ScenarioNames)]
    pub scenario: Scenario,
    /// The same seed, scenario and start give the same world
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Virtual seconds per real second; 0 freezes the world
    #[arg(long, default_value_t = 1.0, value_parser = speed)]
    pub speed: f64,
    /// Virtual time at the start [default: now]
    #[arg(long, value_name = "RFC3339")]
    pub start: Option<jiff::Timestamp>,
    /// A fault plan
    #[arg(long, value_name = "FILE.toml")]
    pub faults: Option<PathBuf>,
    /// Do not enforce the published request rates (for benchmarks)
    #[arg(long)]
    pub no_throttle: bool,
    /// Virtual seconds until an API call shows in CloudTrail [default: 1 to 15 minutes, seldom more]
    #[arg(long, value_name = "SECONDS")]
    pub trail_delay: Option<u32>,
    /// The share of API calls that never show in CloudTrail [default: 0.002]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub trail_missing: Option<f64>,
    /// Send changes made through the API to the event queues, too, as EventBridge does where there is a trail
    #[arg(long)]
    pub trail_events: bool,
    /// Print the supported operations, one per line, and exit
    #[arg(long)]
    pub list_operations: bool,
    /// Invalid, restricted or foreign credentials: TOML with `expired`, `unknown`, `[denied]`, `[accounts]`, `[users]`
    /// and `[mfa]` by access key id, and `[roles]` by name
    #[arg(long, value_name = "FILE.toml")]
    pub credentials: Option<PathBuf>,
    /// An access key whose session token has expired; may be given more than once
    #[arg(long, value_name = "KEY")]
    pub expired: Vec<String>,
    /// An access key that AWS does not know; may be given more than once
    #[arg(long, value_name = "KEY")]
    pub unknown: Vec<String>,
    /// An action denied to an access key, such as `AKIAREADER=gamelift:Update*`; may be given more than once
    #[arg(long, value_name = "KEY=ACTION", value_parser = denial)]
    pub deny: Vec<(String, String)>,
    /// An access key of another account, such as `AKIAFOREIGN=999988887777`: STS names that account, but the world
    /// answers the key all the same; may be given more than once
    #[arg(long, value_name = "KEY=ACCOUNT", value_parser = foreign)]
    pub foreign: Vec<(String, String)>,
}

/// Reads the name of a scenario or of a mixture. The help lists the scenarios, each with what an operator should
/// notice.
#[derive(Clone, Copy, Debug)]
struct ScenarioNames;

impl TypedValueParser for ScenarioNames {
    type Value = Scenario;

    fn parse_ref(
        &self,
        command: &clap::Command,
        _argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Scenario, clap::Error> {
        value.to_string_lossy().parse().map_err(|error: UnknownScenario| {
            clap::Error::raw(ErrorKind::ValueValidation, format_args!("{error}\n")).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let all = Scenario::ALL.iter();
        Some(Box::new(all.map(|scenario| PossibleValue::new(scenario.name()).help(scenario.description()))))
    }
}

fn denial(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, action)) if !key.is_empty() && action.contains(':') => {
            Ok((key.to_owned(), action.to_owned()))
        }
        _ => Err("expected a key and an action: KEY=service:Operation".to_owned()),
    }
}

fn foreign(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, account))
            if !key.is_empty()
                && account.len() == 12
                && account.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Ok((key.to_owned(), account.to_owned()))
        }
        _ => Err("expected a key and a 12-digit account: KEY=ACCOUNT".to_owned()),
    }
}

fn speed(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if (0.0..=100_000.0).contains(&speed) => Ok(speed),
        _ => Err("expected a number from 0 to 100000".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

impl SimulateArgs {
    /// Returns the options for these arguments; reads the files they name.
    ///
    /// # Errors
    /// When a file cannot be read or its content is not valid.
    pub fn options(&self) -> Result<SimulatorOptions, PlanError> {
        let read = |path: &PathBuf| {
            std::fs::read_to_string(path).map_err(|source| PlanError::Unread { path: path.clone(), source })
        };
        let faults = match &self.faults {
            Some(path) => FaultPlan::from_toml(&read(path)?)?,
            None => FaultPlan::default(),
        };
        let mut credentials: Credentials = match &self.credentials {
            Some(path) => {
                toml::from_str(&read(path)?).map_err(|error| PlanError::Invalid(error.to_string()))?
            }
            None => Credentials::default(),
        };
        credentials.expired.extend(self.expired.iter().cloned());
        credentials.unknown.extend(self.unknown.iter().cloned());
        for (key, action) in &self.deny {
            credentials.denied.entry(key.clone()).or_default().push(action.clone());
        }
        credentials.accounts.extend(self.foreign.iter().cloned());
        Ok(SimulatorOptions {
            listen: self.listen,
            scenario: self.scenario,
            seed: self.seed,
            speed: self.speed,
            start_ms: self.start.map(jiff::Timestamp::as_millisecond),
            faults,
            throttle: !self.no_throttle,
            dated: true,
            credentials,
            trail: TrailOptions {
                delay_s: self.trail_delay,
                missing: self.trail_missing,
                event_bridge: self.trail_events,
            },
            keep: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser};

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: SimulateArgs,
    }

    #[test]
    fn keys_on_the_command_line_are_bad_credentials() {
        let line = ["simulate", "--expired", "A", "--unknown", "B", "--unknown", "C"];
        let line = line.into_iter().chain(["--deny", "D=gamelift:Update*", "--deny", "D=sqs:*"]);
        let credentials = Line::parse_from(line).arguments.options().unwrap().credentials;
        assert!(credentials.expired.contains("A") && credentials.unknown.len() == 2);
        assert_eq!(credentials.denied["D"], ["gamelift:Update*", "sqs:*"]);
        let line = ["simulate", "--foreign", "E=999988887777"];
        let credentials = Line::parse_from(line).arguments.options().unwrap().credentials;
        assert_eq!(credentials.accounts["E"], "999988887777");
        for wrong in ["E", "E=99998888777", "=999988887777", "E=99998888777x"] {
            assert!(Line::try_parse_from(["simulate", "--foreign", wrong]).is_err(), "{wrong}");
        }
        for wrong in ["D", "=gamelift:Update*", "D=UpdateAlias"] {
            assert!(Line::try_parse_from(["simulate", "--deny", wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_role_of_a_file_has_defaults_and_bounds() {
        let read = |text: &str| toml::from_str::<Credentials>(text);
        let role = read("[roles.Operator]").unwrap().roles.remove("Operator").unwrap();
        assert_eq!((role.path.as_str(), role.max_session_s, role.trusted.len()), ("/", 3_600, 0));
        assert!(read("[roles.Operator]\nmax_session_s = 3599").is_err());
        assert!(read("[roles.Operator]\ncolour = 'red'").is_err());
        assert!(
            read("mfa.AKIAADA = { serial = 'arn:aws:iam::111122223333:mfa/ada', code = '123456' }").is_ok()
        );
    }

    #[test]
    fn a_scenario_is_one_name_or_two_and_the_help_lists_them() {
        let parse =
            |name| Line::try_parse_from(["simulate", "--scenario", name]).map(|line| line.arguments.scenario);
        assert_eq!(parse("leak").unwrap(), Scenario::Leak);
        assert_eq!(parse("wrong-alias+spot-storm").unwrap().name(), "wrong-alias+spot-storm");
        for (wrong, reason) in [("armageddon", "launch-day"), ("leak+quiet", "'quiet' is played alone")] {
            let error = parse(wrong).unwrap_err();
            assert!(error.exit_code() == 2 && error.to_string().contains(reason), "{error}");
        }
        let help = Line::command().render_long_help().to_string();
        assert!(Scenario::ALL.iter().all(|scenario| help.contains(&format!("- {scenario}:"))), "{help}");
    }

    #[test]
    fn the_event_history_is_set_on_the_command_line() {
        let trail = |line: &[&str]| Line::parse_from(line).arguments.options().unwrap().trail;
        assert_eq!(trail(&["simulate"]), TrailOptions::default());
        let line = ["simulate", "--trail-delay", "60", "--trail-missing", "0.5", "--trail-events"];
        let asked = TrailOptions { delay_s: Some(60), missing: Some(0.5), event_bridge: true };
        assert_eq!(trail(&line), asked);
        assert!(Line::try_parse_from(["simulate", "--trail-missing", "1.5"]).is_err());
    }

    #[test]
    fn the_help_names_every_kind_of_fault_and_the_manual() {
        let help = Line::command().render_long_help().to_string();
        // The error about an unknown kind lists the kinds that exist.
        let error = FaultPlan::from_toml("[[fault]]\nkind = 'no-kind'").unwrap_err().to_string();
        let kinds: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        assert!(kinds.contains(&"latency") && kinds.contains(&"duplicate"), "{error}");
        for kind in kinds {
            assert!(help.contains(kind), "{kind} in the help");
            assert!(include_str!("../MANUAL.md").contains(&format!("`{kind}`")), "{kind} in the manual");
        }
        assert!(help.contains("MANUAL.md"));
    }
}
