//! The records of the world as GameLift would show them: plain values, one module per subject. Member names are those
//! of the API in snake case, times are epoch milliseconds.
//!
//! Owns only the shapes and their enums. The world produces the records, and the server writes them to the wire.

mod capacity;
mod container;
mod content;
mod fleet;
mod incident;
mod location;
mod matchmaking;
mod notice;
mod placement;
mod player;
mod routing;
mod session;

pub use capacity::*;
pub use container::*;
pub use content::*;
pub use fleet::*;
pub use incident::*;
pub use location::*;
pub use matchmaking::*;
pub use notice::*;
pub use placement::*;
pub use player::*;
pub use routing::*;
pub use session::*;

/// Declares an enum of the API with its wire spelling.
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $(#[doc = $text] $(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every value, in the order of the API model.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// The spelling on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
use wire_enum;
