//! A cell of the matrix: one operation under one kind of fault.

use std::fmt;
use std::time::{Duration, Instant};

use liftdeck_gateway::{OPERATOR_ACTIONS, Patience};
use liftdeck_simulator::{FaultKind, FaultRule};

/// One operation under one kind of fault.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Named like an IAM action: `gamelift:ListAliases`.
    pub(crate) operation: String,
    pub(crate) kind: FaultKind,
}

/// A cell that passed.
pub(crate) struct Held {
    pub(crate) cell: Cell,
    pub(crate) took: Duration,
}

/// Records the result of a cell.
pub(crate) type Note<'a> = &'a dyn Fn(&Cell, Result<Duration, String>);

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = serde_json::to_value(self.kind).unwrap_or_default();
        write!(out, "{} under {}", self.operation, kind.as_str().unwrap_or("a fault"))
    }
}

impl Cell {
    pub(crate) fn is_change(&self) -> bool {
        OPERATOR_ACTIONS.contains(&self.operation.as_str())
    }

    pub(crate) fn is_of_cloudwatch(&self) -> bool {
        self.operation.starts_with("cloudwatch:")
    }

    /// Returns the operation's name without its service.
    pub(crate) fn name(&self) -> &str {
        self.operation.split(':').nth(1).unwrap_or(&self.operation)
    }

    /// Returns the rule for a fault plan; the first `skip` requests pass.
    pub(crate) fn rule(&self, skip: u64) -> FaultRule {
        FaultRule {
            operation: self.operation.clone(),
            kind: self.kind,
            latency_ms: if self.kind == FaultKind::Latency { 300 } else { 0 },
            skip,
            ..FaultRule::default()
        }
    }
}

/// The longest that a cell may take on an idle machine.
const LONGEST: Duration = Duration::from_secs(30);

/// How long a cell may take on this machine, derived from the time it needs without faults.
#[derive(Clone, Copy)]
pub(crate) struct Pace(Duration);

impl Pace {
    /// Derives the pace from the duration of a pass without faults.
    pub(crate) fn of(healthy: Duration) -> Self {
        Self(LONGEST.max(healthy * 20))
    }

    /// Does the work of a cell within its time limit.
    pub(crate) async fn hold<T>(self, work: impl Future<Output = T>) -> Result<(T, Duration), String> {
        let begun = Instant::now();
        match tokio::time::timeout(self.0, work).await {
            Ok(done) => Ok((done, begun.elapsed())),
            Err(_) => Err(format!("it does not end in {:?}", self.0)),
        }
    }
}

/// Returns how long to wait for a response: briefly if none will come, long if the machine may only be slow.
pub(crate) fn patience(kind: FaultKind) -> Patience {
    let brief = kind == FaultKind::Stall;
    let answer = Duration::from_millis(if brief { 700 } else { 20_000 });
    Patience {
        read: answer,
        attempt: answer,
        call: if brief { 3 * answer } else { Duration::from_secs(28) },
        attempts: 2,
        ..Patience::default()
    }
}
