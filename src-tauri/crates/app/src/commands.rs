//! The implementations of the commands, one file per subject. Each one parses, calls and maps to the API's types.
//!
//! Owns the dispatcher: a command in the list without an implementation here does not compile. What each command is
//! for is documented in the list, `liftdeck-api`'s `commands!`.

mod action;
mod activity;
mod alert;
mod alias;
mod app;
mod chart;
mod connection;
mod content;
mod delivery;
mod feed;
mod fleet;
mod goto;
mod guard;
mod health;
mod incident;
mod matchmaking;
mod overview;
mod placement;
mod player;
mod preset;
mod queue;
mod rule;
mod run;
mod series;
mod session;

use {
    action::*, activity::*, alert::*, alias::*, app::*, chart::*, connection::*, content::*, delivery::*,
    feed::*, fleet::*, goto::*, guard::*, health::*, incident::*, matchmaking::*, overview::*, placement::*,
    player::*, preset::*, queue::*, rule::*, run::*, series::*, session::*,
};

use liftdeck_api::types::*;
use liftdeck_api::{Answer, AppError, Call, IntoAnswer};

use crate::app::App;

macro_rules! dispatcher {
    ($(
        $(#[doc = $about:literal])+
        $kind:ident $name:ident($($argument:ident: $type:ty),*) -> $answer:ty [$($subject:ident)*];
    )*) => {
        impl App {
            /// Answers a call from any host.
            ///
            /// # Errors
            /// The command's own error; [`liftdeck_api::ErrorKind::InvalidInput`] for a command that does not exist
            /// and for arguments that do not fit.
            pub async fn ask(&self, call: Call) -> Result<Answer, AppError> {
                self.permit(&call)?;
                match call.name.as_str() {
                    $(stringify!($name) => {
                        #[derive(serde::Deserialize)]
                        #[serde(rename_all = "camelCase", deny_unknown_fields)]
                        struct Arguments {
                            $($argument: $type,)*
                        }
                        let Arguments { $($argument),* } = call.arguments()?;
                        let answer: $answer = Box::pin($name(self, $($argument),*)).await?;
                        answer.into_answer()
                    })*
                    unknown => Err(Call::unknown(unknown)),
                }
            }
        }
    };
}

liftdeck_api::commands!(dispatcher);
