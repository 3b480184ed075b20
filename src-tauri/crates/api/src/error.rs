//! The one error type that every command fails with.

use liftdeck_charts::ChartError;
use liftdeck_collector::SearchError;
use liftdeck_gateway::GatewayError;
use liftdeck_model::action::FieldError;
use liftdeck_model::search::SearchMistake;
use liftdeck_operations::OperationError;
use liftdeck_store::StoreError;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The kinds of error that the window can distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ErrorKind {
    InvalidInput,
    NotFound,
    Unreachable,
    Credentials,
    /// The credentials belong to another account than the connection.
    WrongAccount,
    /// AWS could not confirm which account the credentials belong to.
    Unproven,
    Denied,
    Throttled,
    Service,
    Store,
    StoreFull,
    StoreReadOnly,
    StoreNewer,
    StoreBusy,
    Refused,
    /// The connection is read-only: an operator must unlock it.
    ReadOnly,
    /// The confirmation lacks the text that must be typed.
    NotTyped,
    /// The preview is too old to confirm.
    Expired,
    Internal,
}

/// A field that the service would reject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemError {
    /// Index of the change, from 0.
    pub item: usize,
    pub field: String,
    pub message: String,
}

/// What failed, on which resource, AWS's code and request id, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{message}")]
pub struct AppError {
    // Boxed strings keep the error variant of every `Result` small.
    pub kind: ErrorKind,
    pub message: Box<str>,
    pub resource: Option<Box<str>>,
    pub aws_code: Option<Box<str>>,
    pub request_id: Option<Box<str>>,
    pub retryable: bool,
    pub remedy: Option<Box<str>>,
    /// Invalid fields; empty unless the input is invalid.
    pub fields: Vec<ItemError>,
}

impl AppError {
    /// An error without a resource or a remedy.
    pub fn new(kind: ErrorKind, message: impl Into<Box<str>>) -> Self {
        Self {
            kind,
            message: message.into(),
            resource: None,
            aws_code: None,
            request_id: None,
            retryable: false,
            remedy: None,
            fields: Vec::new(),
        }
    }

    /// Returns the error with `resource` as the resource it concerns.
    #[must_use]
    pub fn about(mut self, resource: impl Into<Box<str>>) -> Self {
        self.resource = Some(resource.into());
        self
    }

    /// Returns the error with advice on what to do about it.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<Box<str>>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The error for a resource that is not in the database.
    pub fn not_found(what: &str, id: &str) -> Self {
        Self::new(ErrorKind::NotFound, format!("There is no {what} {id} in the collected data."))
            .about(id)
            .remedy(
                "Check the id and the connection. Resources that GameLift has deleted or never listed are not stored.",
            )
    }

    /// The error if no connection is open.
    pub fn no_connection() -> Self {
        Self::new(ErrorKind::Refused, "No connection is open.")
            .remedy("Open a connection or the built-in demo.")
    }
}

impl From<GatewayError> for AppError {
    fn from(error: GatewayError) -> Self {
        use liftdeck_gateway::ErrorKind as Kind;
        let kind = match error.kind {
            Kind::Unreachable | Kind::TimedOut => ErrorKind::Unreachable,
            Kind::Credentials => ErrorKind::Credentials,
            Kind::Denied => ErrorKind::Denied,
            // Unlocking resolves both.
            Kind::ReadOnly | Kind::WrongCaller => ErrorKind::ReadOnly,
            Kind::WrongAccount => ErrorKind::WrongAccount,
            Kind::Unproven => ErrorKind::Unproven,
            Kind::Throttled | Kind::BudgetExhausted => ErrorKind::Throttled,
            Kind::NotFound => ErrorKind::NotFound,
            Kind::Invalid | Kind::Config => ErrorKind::InvalidInput,
            Kind::Service | Kind::Decode => ErrorKind::Service,
        };
        Self {
            kind,
            message: format!("{error}.").into(),
            remedy: error.remedy().map(Box::from),
            retryable: error.retryable(),
            resource: error.resource.map(Box::from),
            aws_code: error.code.map(Box::from),
            request_id: error.request_id.map(Box::from),
            fields: Vec::new(),
        }
    }
}

impl From<SearchError> for AppError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Gateway(error) => error.into(),
            SearchError::Store(error) => error.into(),
            SearchError::Region(region) => Self::new(
                ErrorKind::InvalidInput,
                format!("This connection does not cover the Region {region}."),
            )
            .about(region.as_str())
            .remedy("Tick the Region in the connection's settings."),
        }
    }
}

impl From<SearchMistake> for AppError {
    fn from(mistake: SearchMistake) -> Self {
        Self::new(ErrorKind::InvalidInput, mistake.to_string())
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        let kind = match &error {
            StoreError::Newer { .. } => ErrorKind::StoreNewer,
            StoreError::Busy { .. } => ErrorKind::StoreBusy,
            StoreError::DiskFull { .. } => ErrorKind::StoreFull,
            StoreError::ReadOnlyDisk { .. } | StoreError::ReadOnly => ErrorKind::StoreReadOnly,
            _ => ErrorKind::Store,
        };
        // The store's messages already say what to do.
        let message = match &error {
            StoreError::Newer { .. } => format!("A newer Liftdeck wrote this database. {error}"),
            _ => error.to_string(),
        };
        Self { retryable: error.retryable(), ..Self::new(kind, message) }
    }
}

impl From<OperationError> for AppError {
    fn from(error: OperationError) -> Self {
        let message = error.to_string();
        match error {
            OperationError::Gateway(error) => error.into(),
            OperationError::Store(error) => error.into(),
            OperationError::ReadOnly => Self::new(ErrorKind::ReadOnly, message),
            OperationError::NotTyped { .. } => Self::new(ErrorKind::NotTyped, message),
            OperationError::Expired => Self::new(ErrorKind::Expired, message),
            OperationError::Unknown { id, .. } => Self::new(ErrorKind::NotFound, message).about(id),
            OperationError::Moved { .. } | OperationError::Refused(_) => {
                Self::new(ErrorKind::Refused, message)
            }
            OperationError::Invalid(errors) => {
                let field = |(item, error): (usize, FieldError)| ItemError {
                    item,
                    field: error.field,
                    message: error.message,
                };
                let fields = errors.into_iter().map(field).collect();
                Self { fields, ..Self::new(ErrorKind::InvalidInput, message) }
            }
        }
    }
}

impl From<ChartError> for AppError {
    fn from(error: ChartError) -> Self {
        match error {
            ChartError::Store(error) => error.into(),
            ChartError::NoFleet(fleet) => Self::not_found("fleet", fleet.as_str()),
            ChartError::Drawing(_) => Self::new(ErrorKind::Internal, format!("{error}.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_error_keeps_its_advice_and_its_kind() {
        let error = AppError::from(StoreError::DiskFull { path: None });
        assert_eq!(error.kind, ErrorKind::StoreFull);
        assert!(error.retryable && error.message.contains("Free some space"), "{error:?}");
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = AppError::not_found("fleet", "fleet-1");
        assert!(error.message.contains("fleet-1"));
        assert_eq!(error.resource.as_deref(), Some("fleet-1"));
    }
}
