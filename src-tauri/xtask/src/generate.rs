//! Generated files. Deliberately holds no generator: the program itself exports its border.

use crate::packages;
use crate::run::{Failure, cargo, succeed};

/// Writes `ui/src/host/bindings.gen.ts` from the commands and wire types.
///
/// # Errors
/// When the program does not build or the file cannot be written.
pub(crate) fn run() -> Result<(), Failure> {
    packages::for_window_build()?;
    succeed(
        cargo().args(["test", "--quiet", "--package", "liftdeck", "bindings"]).env("UPDATE_BINDINGS", "1"),
    )
}
