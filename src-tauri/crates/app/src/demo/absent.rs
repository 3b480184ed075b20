//! The demo's replacement if Liftdeck is built without the simulator.

use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::settings::DemoScenario;
use liftdeck_api::{AppError, ErrorKind};

use super::Stage;

/// Returns no scenarios.
pub(crate) fn scenarios() -> Vec<DemoScenario> {
    Vec::new()
}

/// Always fails.
pub(crate) async fn stage(
    _scenario: Option<&str>,
    _seed: u64,
    _start_ms: i64,
) -> Result<(ConnectionSummary, Stage), AppError> {
    Err(AppError::new(ErrorKind::Refused, "This Liftdeck was built without the demo.")
        .remedy("Build it with the feature `simulator`."))
}
