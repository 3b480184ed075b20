//! The steps of a service request: address, identity, count, fault, response. What is between the last two is in
//! `run`.

use std::time::Duration;

use hyper::Response;
use hyper::header::DATE;
use hyper::http::request::Parts;

use super::answer::{self, Outcome, Payload};
use super::journal;
use super::skew;
use super::target::{Target, header, is_cbor};
use crate::cloud::Cloud;
use crate::fault::{Fault, FaultKind};
use crate::identity::{Scope, Signer};
use crate::operation::Operation;
use crate::service::{Protocol, Service, ServiceError};
use crate::{cloudtrail, cloudwatch, event_bridge, gamelift, iam, sns, sqs, sts};

/// An operation that was found, by the service that handles it.
pub(super) enum Found {
    /// An operation that reads or changes the world.
    World(&'static Operation),
    /// An operation of SQS.
    Sqs(&'static str),
    /// An action of SNS.
    Sns(&'static str),
    /// An operation of EventBridge.
    EventBridge(&'static str),
    /// An action of STS.
    Sts(&'static str),
    /// An action of IAM.
    Iam(&'static str),
}

/// One request in progress.
pub(super) struct Exchange<'a> {
    pub(super) cloud: &'a Cloud,
    pub(super) target: Target,
    pub(super) scope: Scope,
    /// Who signed the request.
    pub(super) signer: Signer,
    /// The IAM action.
    pub(super) action: String,
    pub(super) body: &'a [u8],
    pub(super) request_id: &'a str,
    /// The address of the client.
    pub(super) address: &'a str,
    /// The user agent, if the client names one.
    pub(super) agent: Option<&'a str>,
    /// When the client says it signed the request, in seconds since the epoch.
    signed_at_s: Option<i64>,
}

/// Answers a service request.
pub(super) async fn answer(
    cloud: &Cloud,
    head: &Parts,
    body: &[u8],
    request_id: &str,
    address: &str,
) -> Outcome {
    let Some(target) = Target::read(head, body) else {
        let error = ServiceError::unknown_operation(head.uri.path());
        let protocol = if is_cbor(head) { Protocol::Cbor } else { Protocol::Json };
        return Outcome::Answer(answer::error(&error, Service::GameLift, protocol, request_id));
    };
    let (service, protocol) = (target.service, target.protocol);
    let signed = Scope::read(header(head, "authorization")).and_then(|scope| {
        scope.locate(&cloud.regions, service)?;
        let token = header(head, "x-amz-security-token");
        let sessions = (&cloud.sessions, cloud.pace());
        let credentials = cloud.credentials();
        let signer = Signer::find(&scope, token, &credentials, sessions, service, &cloud.account)?;
        Ok((scope, signer))
    });
    match signed {
        Ok((scope, signer)) => {
            let action = format!("{}:{}", service.action_prefix(), target.operation);
            let signed_at_s = skew::signed_at_s(header(head, "x-amz-date"));
            let agent = header(head, "user-agent");
            let exchange = Exchange {
                cloud,
                target,
                scope,
                signer,
                action,
                body,
                request_id,
                address,
                agent,
                signed_at_s,
            };
            exchange.answer().await
        }
        Err(error) => Outcome::Answer(answer::error(&error, service, protocol, request_id)),
    }
}

impl Exchange<'_> {
    async fn answer(&self) -> Outcome {
        let found = match self.find() {
            Ok(found) => found,
            Err(error) => return Outcome::Answer(self.refuse(&error)),
        };
        let fault = self.cloud.faults.strike(&self.scope.region, &self.action);
        self.cloud.calls.note(&self.scope.region, &self.action, |count| {
            count.calls += 1;
            count.faults += u64::from(fault.is_some());
        });
        if let Some(fault) = fault {
            tokio::time::sleep(Duration::from_millis(fault.latency_ms)).await;
            if let Some(outcome) = self.damage(&found, fault) {
                return outcome;
            }
        }
        let kind = fault.map(|fault| fault.kind);
        let result = self.run(&found, kind).await;
        journal::write(self, &found, result.as_deref());
        let response = match result {
            Ok(body) => answer::success(self.target.service, self.target.protocol, self.request_id, body),
            Err(error) => self.refuse(&error),
        };
        Outcome::Answer(if kind == Some(FaultKind::Truncate) {
            response.map(Payload::cut_off)
        } else {
            response
        })
    }

    fn find(&self) -> Result<Found, ServiceError> {
        let name = &self.target.operation;
        let found = match self.target.service {
            Service::GameLift => gamelift::operation(name).map(Found::World),
            Service::CloudWatch => cloudwatch::operation(name).map(Found::World),
            Service::CloudTrail => cloudtrail::operation(name).map(Found::World),
            Service::Sqs => sqs::operation(name).map(Found::Sqs),
            Service::Sns => sns::operation(name).map(Found::Sns),
            Service::EventBridge => event_bridge::operation(name).map(Found::EventBridge),
            Service::Sts => sts::operation(name).map(Found::Sts),
            Service::Iam => iam::operation(name).map(Found::Iam),
        };
        found.ok_or_else(|| match self.target.service {
            service @ (Service::Sts | Service::Iam) => ServiceError::unknown_action(service, name),
            _ => ServiceError::unknown_operation(name),
        })
    }

    /// Returns the outcome of a fault that leaves no correct response; `None` if the request goes on.
    fn damage(&self, found: &Found, fault: Fault) -> Option<Outcome> {
        let service = self.target.service;
        let refuse = |error: ServiceError| {
            journal::write(self, found, Err(&error));
            Outcome::Answer(self.refuse(&error))
        };
        Some(match fault.kind {
            FaultKind::Latency
            | FaultKind::Truncate
            | FaultKind::RepeatToken
            | FaultKind::WrongToken
            | FaultKind::RepeatRow
            | FaultKind::Duplicate
            | FaultKind::TrailDelay
            | FaultKind::TrailMissing => return None,
            FaultKind::Throttle => refuse(ServiceError::throttled(service)),
            FaultKind::Status => refuse(ServiceError::of_status(service, fault.status)),
            FaultKind::EmptyStatus => Outcome::Answer(answer::plain(fault.status, "text/plain", "")),
            FaultKind::Html => Outcome::Answer(answer::html(fault.status)),
            FaultKind::Garble => {
                let content_type = self.target.protocol.content_type(service);
                Outcome::Answer(answer::plain(200, content_type, &b"\xa1garbled {"[..]))
            }
            FaultKind::ClockSkew => {
                let refusal = skew::refusal(self.signed_at_s, skew::now_s() + fault.skew_s)?;
                let mut response = self.refuse(&refusal.error);
                response.headers_mut().insert(DATE, refusal.date);
                Outcome::Answer(response)
            }
            FaultKind::Reset => Outcome::Reset,
            FaultKind::Stall => Outcome::Stall,
        })
    }

    /// Counts an error and returns its response.
    fn refuse(&self, error: &ServiceError) -> Response<Payload> {
        let service = self.target.service;
        let throttled = error.code == ServiceError::throttled(service).code;
        self.cloud.calls.note(&self.scope.region, &self.action, |count| {
            if throttled {
                count.throttled += 1;
            } else {
                count.errors += 1;
            }
        });
        answer::error(error, service, self.target.protocol, self.request_id)
    }
}
