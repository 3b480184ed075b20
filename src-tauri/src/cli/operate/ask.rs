//! Asking the person at the terminal.

use std::io::{IsTerminal, Write};

use super::Failure;

/// Whether somebody can read a question and answer it.
pub(in crate::cli) fn is_person_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks for one line. The question goes to stderr, so that stdout holds nothing but the answer to the command.
pub(super) fn line(question: &str) -> Result<String, Failure> {
    if !is_person_there() {
        return Err(Failure::refused(
            "Nothing was sent: nobody is there to be asked. Add --yes to go ahead.",
        ));
    }
    let mut err = std::io::stderr().lock();
    err.write_all(question.as_bytes()).and_then(|()| err.flush())?;
    let mut typed = String::new();
    std::io::stdin().read_line(&mut typed)?;
    Ok(typed.trim_end_matches(['\r', '\n']).to_owned())
}
