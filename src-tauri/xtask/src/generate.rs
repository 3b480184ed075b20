//! Generated files. Deliberately holds no generator: the program itself exports its border.

use crate::run::{Failure, cargo, succeed};

/// Writes the files that are made from the list of commands: TypeScript, capabilities, the table of the documents.
///
/// # Errors
/// When the program does not build or the file cannot be written.
pub(crate) fn run() -> Result<(), Failure> {
    // The whole workspace, so that nothing is built again with other features.
    succeed(
        cargo().args(["test", "--quiet", "--workspace", "--lib", "generated"]).env("UPDATE_GENERATED", "1"),
    )
}
