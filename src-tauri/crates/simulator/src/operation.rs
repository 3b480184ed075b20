//! An operation of a service: its name, its rate and its handler, and the call it handles.
//!
//! The tables of operations are with their services.

use crate::cloudtrail::History;
use crate::page::{Page, Tokens};
use crate::service::{Service, ServiceError};
use crate::throttle::Rate;
use crate::wire::{Value, Writer};
use liftdeck_simulated_world::World;

/// Answers a call by writing the output structure.
pub(crate) type Answer = fn(&Call<'_>, &mut Writer) -> Result<(), ServiceError>;

/// Answers a call from the account's event history.
pub(crate) type Recall = fn(&Call<'_>, &History<'_>, &mut Writer) -> Result<(), ServiceError>;

/// Changes the world as a call asks, and writes the output structure.
pub(crate) type Effect = fn(&mut Change<'_>, &mut Writer) -> Result<(), ServiceError>;

/// How an operation uses the world.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Act {
    /// Reads the world.
    Read(Answer),
    /// Changes the world; nothing else can access it meanwhile.
    Change(Effect),
    /// Reads the event history of the account.
    Recall(Recall),
}

/// One operation over the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    /// The name in the model.
    pub(crate) name: &'static str,
    /// The published rate.
    pub(crate) rate: Rate,
    /// The handler.
    pub(crate) act: Act,
}

impl Operation {
    /// An operation that reads, with the same burst and steady rate per second.
    pub(crate) const fn new(name: &'static str, per_second: f64, answer: Answer) -> Operation {
        Operation { name, rate: Rate::even(per_second), act: Act::Read(answer) }
    }

    /// An operation that changes the world, with the same burst and steady rate per second.
    pub(crate) const fn change(name: &'static str, per_second: f64, effect: Effect) -> Operation {
        Operation { name, rate: Rate::even(per_second), act: Act::Change(effect) }
    }

    /// An operation that reads the event history, with the same burst and steady rate per second.
    pub(crate) const fn history(name: &'static str, per_second: f64, recall: Recall) -> Operation {
        Operation { name, rate: Rate::even(per_second), act: Act::Recall(recall) }
    }

    /// Whether the operation leaves everything as it is.
    pub(crate) fn is_read(&self) -> bool {
        !matches!(self.act, Act::Change(_))
    }

    /// The same operation with a larger burst.
    pub(crate) const fn with_burst(self, burst: f64) -> Operation {
        Operation { rate: Rate { burst, per_second: self.rate.per_second }, ..self }
    }
}

/// One call of an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'a> {
    /// The service.
    pub(crate) service: Service,
    /// The operation.
    pub(crate) operation: &'static str,
    /// The region the request is signed for.
    pub(crate) region: &'a str,
    /// The input as read from the body.
    pub(crate) body: &'a Value,
    /// The world, at one instant.
    pub(crate) world: &'a World,
    /// Seals and opens page tokens.
    pub(crate) tokens: &'a Tokens,
    /// The base URL of the services, for links in responses.
    pub(crate) endpoint: &'a str,
    /// The next token that a fault puts in place of the correct one.
    pub(crate) next_token: Option<&'a str>,
}

impl Call<'_> {
    /// Identifies what the call lists, whatever the page.
    fn listing(&self) -> String {
        let filters = self.body.fingerprint(&["NextToken", "Limit"]);
        format!("{} {} {} {filters}", self.service.action_prefix(), self.operation, self.region)
    }

    /// Returns the cursor in a token; refuses a token of another listing with the given code.
    pub(crate) fn cursor(
        &self,
        token: Option<&str>,
        refusal: &'static str,
    ) -> Result<Option<String>, ServiceError> {
        let Some(token) = token else { return Ok(None) };
        match self.tokens.open(&self.listing(), token) {
            Ok(cursor) => Ok(Some(cursor)),
            Err(_) => Err(ServiceError::new(refusal, "The NextToken is not valid for this request.")),
        }
    }

    /// Returns the token of the next page, if there is one.
    pub(crate) fn next_token<T>(&self, page: &Page<T>) -> Option<String> {
        if let Some(token) = self.next_token {
            return Some(token.to_owned());
        }
        page.cursor.as_deref().map(|cursor| self.tokens.seal(&self.listing(), cursor))
    }
}

/// One call of an operation that changes the world.
#[derive(Debug)]
pub(crate) struct Change<'a> {
    /// The service.
    pub(crate) service: Service,
    /// The operation.
    pub(crate) operation: &'static str,
    /// The region the request is signed for.
    pub(crate) region: &'a str,
    /// The input as read from the body.
    pub(crate) body: &'a Value,
    /// The world, at one instant, for this call alone.
    pub(crate) world: &'a mut World,
    /// Seals and opens page tokens.
    pub(crate) tokens: &'a Tokens,
    /// The base URL of the services, for links in responses.
    pub(crate) endpoint: &'a str,
}

impl Change<'_> {
    /// Returns the same call with read access only.
    pub(crate) fn call(&self) -> Call<'_> {
        Call {
            service: self.service,
            operation: self.operation,
            region: self.region,
            body: self.body,
            world: &*self.world,
            tokens: self.tokens,
            endpoint: self.endpoint,
            next_token: None,
        }
    }
}
