//! Generated files. Deliberately contains no generator: Liftdeck's own tests write them.

use crate::run::{Failure, cargo, succeed};

/// Writes the files generated from the list of commands: TypeScript, capabilities, and the table in COMMANDS.md.
///
/// # Errors
/// If the program does not build or a file cannot be written.
pub(crate) fn run() -> Result<(), Failure> {
    // Uses the whole workspace, so that nothing is built again with other features.
    succeed(
        cargo().args(["test", "--quiet", "--workspace", "--lib", "generated"]).env("UPDATE_GENERATED", "1"),
    )
}
