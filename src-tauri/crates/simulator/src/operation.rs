//! An operation of a service: its name, its rate and what answers it, and the call it answers.
//!
//! The tables of operations stand with their services.

use crate::page::{Page, Tokens};
use crate::service::{Service, ServiceError};
use crate::throttle::Rate;
use crate::wire::{Value, Writer};
use liftdeck_simulated_world::World;

/// Answers a call by writing the output structure.
pub(crate) type Answer = fn(&Call<'_>, &mut Writer) -> Result<(), ServiceError>;

/// Changes the world as a call asks, and writes the output structure.
pub(crate) type Effect = fn(&mut Change<'_>, &mut Writer) -> Result<(), ServiceError>;

/// What an operation does with the world.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Act {
    /// It reads.
    Read(Answer),
    /// It changes; nothing else sees the world meanwhile.
    Change(Effect),
}

/// One operation over the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operation {
    /// The name in the model.
    pub(crate) name: &'static str,
    /// The published rate.
    pub(crate) rate: Rate,
    /// What answers it.
    pub(crate) act: Act,
}

impl Operation {
    /// An operation with an even rate a second.
    pub(crate) const fn new(name: &'static str, per_second: f64, answer: Answer) -> Operation {
        Operation { name, rate: Rate::even(per_second), act: Act::Read(answer) }
    }

    /// An operation that changes the world, with an even rate a second.
    pub(crate) const fn change(name: &'static str, per_second: f64, effect: Effect) -> Operation {
        Operation { name, rate: Rate::even(per_second), act: Act::Change(effect) }
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
    /// The seal of page tokens.
    pub(crate) tokens: &'a Tokens,
    /// Where the services are, for links in answers.
    pub(crate) endpoint: &'a str,
    /// The next token that a fault puts in the place of the right one.
    pub(crate) next_token: Option<&'a str>,
}

impl Call<'_> {
    /// What the call lists, whatever page of it.
    fn listing(&self) -> String {
        let filters = self.body.fingerprint(&["NextToken", "Limit"]);
        format!("{} {} {} {filters}", self.service.action_prefix(), self.operation, self.region)
    }

    /// The cursor in a token; a token of another listing is refused with the code given.
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

    /// The token of the next page.
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
    /// The seal of page tokens.
    pub(crate) tokens: &'a Tokens,
    /// Where the services are, for links in answers.
    pub(crate) endpoint: &'a str,
}

impl Change<'_> {
    /// The same call for looking only.
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
