//! Writes down the calls that CloudTrail records.
//!
//! Requests that reach no operation leave no record: unsigned ones, those of unknown or expired keys, those signed by
//! another clock, unknown operations, and everything that a fault stops on its way.

use super::dispatch::{Exchange, Found};
use crate::cloudtrail::{Call, Caller, Parameters};
use crate::service::{Protocol, Service, ServiceError};
use crate::sts;
use serde_json::Value;

/// Records a call with its response body or its error.
pub(super) fn write(exchange: &Exchange<'_>, found: &Found, result: Result<&[u8], &ServiceError>) {
    let (service, cbor) = (exchange.target.service, exchange.target.protocol == Protocol::Cbor);
    let (read_only, parameters) = match (service, found) {
        (Service::GameLift | Service::CloudTrail, Found::World(operation)) if operation.is_read() => {
            (true, Parameters::sent(cbor, exchange.body))
        }
        (Service::GameLift, Found::World(_)) => (false, Parameters::read(cbor, exchange.body)),
        (Service::Sts, _) => (true, Parameters::Members(sts::recorded(exchange.body))),
        _ => return,
    };
    let response = match result {
        Ok(body) if !read_only => Call::response(cbor, body),
        _ => Value::Null,
    };
    let error = result.err().map(|error| (code(error).to_owned(), error.message.clone()));
    let cloud = exchange.cloud;
    let call = Call {
        at_ms: cloud.now_ms(),
        service: service.action_prefix(),
        name: exchange.target.operation.clone(),
        read_only,
        caller: Caller::Client {
            signer: exchange.signer.clone(),
            address: exchange.address.to_owned(),
            agent: exchange.agent.map(str::to_owned),
        },
        parameters,
        response,
        error,
        request_id: exchange.request_id.to_owned(),
    };
    cloud.trail.note(&exchange.scope.region, call, &cloud.faults);
}

/// The code of an error in a record. A refusal by IAM has a name of its own there.
fn code(error: &ServiceError) -> &str {
    if error.code == "AccessDeniedException" { "AccessDenied" } else { &error.code }
}
