//! The program: the window without arguments, the command line with them.

use std::process::ExitCode;

fn main() -> ExitCode {
    liftdeck::main()
}
