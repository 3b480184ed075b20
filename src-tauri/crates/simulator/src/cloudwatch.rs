//! CloudWatch: the operations that read the metrics the world has recorded.

mod data;
mod list;
mod statistic;
mod summary;
mod window;

use crate::operation::{Call, Operation};
use crate::service::ServiceError;
use crate::wire::{FromWire, Problem, Text, input, read_input};

/// The namespace of all metrics here.
const NAMESPACE: &str = "AWS/GameLift";

/// The operations with their rates (CloudWatch service quotas).
static OPERATIONS: [Operation; 3] = [
    Operation::new("GetMetricData", 500.0, data::get),
    Operation::new("GetMetricStatistics", 400.0, summary::get),
    Operation::new("ListMetrics", 25.0, list::list),
];

/// The names of the operations, in order.
pub(crate) fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|operation| operation.name)
}

/// Finds the operation with this name.
pub(crate) fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

static TEXT_255: Text = Text::length(1, 255);

input! {
    /// One dimension of a metric, or a filter on one.
    struct DimensionInput {
        name: String = required("Name", TEXT_255),
        value: Option<String> = optional("Value", Text::length(1, 1024)),
    }
}

/// The error for a value out of range.
fn invalid(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("InvalidParameterValueException", message).with_query_code("InvalidParameterValue")
}

/// The error for values that cannot be combined.
fn ill_combined(message: &str) -> ServiceError {
    ServiceError::new("InvalidParameterCombinationException", message)
        .with_query_code("InvalidParameterCombination")
}

/// Reads the typed input of a call.
fn read<T: FromWire>(call: &Call<'_>) -> Result<T, ServiceError> {
    read_input(call.body).map_err(|problems| match problems.0.first() {
        _ if problems.unreadable() => ServiceError::unreadable(&problems),
        Some(Problem::Missing { path }) => {
            let message = format!("The parameter {path} is required.");
            ServiceError::new("MissingRequiredParameterException", message)
                .with_query_code("MissingParameter")
        }
        _ => invalid(&problems),
    })
}
