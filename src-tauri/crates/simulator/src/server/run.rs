//! The last steps of a service request: rate, permission, operation.

use std::sync::PoisonError;

use super::dispatch::{Exchange, Found};
use super::skew;
use super::slip;
use crate::cloudtrail::History;
use crate::fault::FaultKind;
use crate::identity::Credentials;
use crate::operation::{Act, Call, Change, Operation};
use crate::service::{Protocol, ServiceError};
use crate::wire::{Value, Writer, read_cbor, read_json};
use crate::{event_bridge, iam, sns, sqs, sts};

impl Exchange<'_> {
    fn read(&self) -> Result<Value, ServiceError> {
        let read = if self.target.protocol == Protocol::Cbor { read_cbor } else { read_json };
        read(self.body).map_err(ServiceError::unreadable)
    }

    fn admit(&self, operation: &Operation) -> Result<(), ServiceError> {
        let service = self.target.service;
        let admitted = self.cloud.throttle.as_ref().is_none_or(|throttle| {
            throttle.admit(&self.scope.region, service, operation.name, operation.rate, self.cloud.pace())
        });
        if admitted { Ok(()) } else { Err(ServiceError::throttled(service)) }
    }

    /// Runs an operation; returns the body of its answer.
    pub(super) async fn run(&self, found: &Found, fault: Option<FaultKind>) -> Result<Vec<u8>, ServiceError> {
        let cloud = self.cloud;
        let credentials = cloud.credentials();
        match found {
            // Both decide by themselves who may do what with which resource.
            Found::Sts(operation) => return self.sts(operation, &credentials),
            Found::Iam(operation) => return self.iam(operation, &credentials),
            Found::World(operation) => self.admit(operation)?,
            Found::Sqs(_) | Found::Sns(_) | Found::EventBridge(_) => {}
        }
        self.signer.authorize(&credentials, self.target.service, &self.action, "*")?;
        if let Found::Sns(operation) = found {
            let request = sns::Request {
                operation,
                region: &self.scope.region,
                body: self.body,
                request_id: self.request_id,
                at_ms: cloud.now_ms(),
            };
            return cloud.sns.answer(&request, &cloud.sqs.queues);
        }
        let body = self.read()?;
        let mut writer = self.target.protocol.writer();
        match found {
            Found::World(operation) => {
                let token = fault.and_then(|kind| slip::next_token(self, operation, &body, kind));
                self.act(operation, &body, token.as_deref(), &mut writer)?;
            }
            Found::Sqs(name) => {
                let request = sqs::Request {
                    operation: name,
                    region: &self.scope.region,
                    body: &body,
                    stay_visible: fault == Some(FaultKind::Duplicate),
                };
                cloud.sqs.answer(&request, || cloud.now_ms(), &mut writer).await?;
            }
            Found::EventBridge(operation) => {
                let (region, tokens) = (&self.scope.region, &cloud.tokens);
                let request = event_bridge::Request { operation, region, body: &body, tokens };
                cloud.event_bridge.answer(&request, &mut writer)?;
            }
            Found::Sns(_) | Found::Sts(_) | Found::Iam(_) => {}
        }
        Ok(writer.finish())
    }

    fn sts(&self, operation: &'static str, credentials: &Credentials) -> Result<Vec<u8>, ServiceError> {
        let cloud = self.cloud;
        sts::respond(&sts::Request {
            operation,
            body: self.body,
            request_id: self.request_id,
            signer: &self.signer,
            credentials,
            sessions: &cloud.sessions,
            account: &cloud.account,
            now: sts::Now { real_s: skew::now_s(), pace: cloud.pace(), virtual_ms: cloud.now_ms() },
        })
    }

    fn iam(&self, operation: &'static str, credentials: &Credentials) -> Result<Vec<u8>, ServiceError> {
        iam::respond(&iam::Request {
            operation,
            body: self.body,
            request_id: self.request_id,
            signer: &self.signer,
            credentials,
            account: &self.cloud.account,
            tokens: &self.cloud.tokens,
        })
    }

    /// Lets an operation read or change the world, which is locked meanwhile.
    pub(super) fn act(
        &self,
        operation: &Operation,
        body: &Value,
        next_token: Option<&str>,
        writer: &mut Writer,
    ) -> Result<(), ServiceError> {
        let (service, region, tokens) = (self.target.service, &self.scope.region, &self.cloud.tokens);
        let endpoint = &self.cloud.endpoint;
        match operation.act {
            Act::Read(answer) => {
                let world = self.cloud.world.read().unwrap_or_else(PoisonError::into_inner);
                let world = &*world;
                let operation = operation.name;
                answer(
                    &Call { service, operation, region, body, world, tokens, endpoint, next_token },
                    writer,
                )
            }
            Act::Recall(recall) => {
                let world = self.cloud.world.read().unwrap_or_else(PoisonError::into_inner);
                let world = &*world;
                let operation = operation.name;
                let call = Call { service, operation, region, body, world, tokens, endpoint, next_token };
                let now_ms = self.cloud.now_ms();
                let history = History { trail: &self.cloud.trail, faults: &self.cloud.faults, now_ms };
                recall(&call, &history, writer)
            }
            Act::Change(effect) => {
                let mut world = self.cloud.world.write().unwrap_or_else(PoisonError::into_inner);
                let world = &mut *world;
                let operation = operation.name;
                effect(&mut Change { service, operation, region, body, world, tokens, endpoint }, writer)
            }
        }
    }
}
