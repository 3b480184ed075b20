//! Starts the program: the window if there are no arguments, otherwise the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    liftdeck::main()
}
