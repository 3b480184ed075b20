//! Maps the world's refusals to the errors of the service.

use crate::service::ServiceError;
use liftdeck_simulated_world::{Refusal, RefusalKind};

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> ServiceError {
        let code = match refusal.kind {
            RefusalKind::NotFound => "NotFoundException",
            RefusalKind::Invalid => "InvalidRequestException",
            RefusalKind::FleetStatus => "InvalidFleetStatusException",
            RefusalKind::SessionStatus => "InvalidGameSessionStatusException",
            RefusalKind::NotReady => "NotReadyException",
            RefusalKind::NoCapacity => "FleetCapacityExceededException",
            RefusalKind::Full => "GameSessionFullException",
            RefusalKind::Limit => "LimitExceededException",
            RefusalKind::TokenMismatch => "IdempotentParameterMismatchException",
        };
        ServiceError::new(code, refusal.message)
    }
}
