//! The terminal that a command uses: that of this process, or one at the other end of a socket.
//!
//! Owns what is written, asked and read there, and ensures that nothing written controls a terminal: output is lines
//! or JSON, and a line feed or an escape sequence within a line is shown as a symbol. Deliberately knows no command.

mod lines;

use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use futures::future::Either;
use liftdeck_model::visible::{visible_json, visible_lines};
use serde::Serialize;
use serde_json::Value;

pub(crate) use self::lines::Lines;
use super::Failure;
use crate::socket::RemoteTerminal;
use crate::stop;

/// The terminal a command uses.
pub(crate) enum Terminal {
    /// This process's own.
    Own(Own),
    /// The terminal of a caller whose command runs in this process.
    Remote(RemoteTerminal),
}

/// The terminal of this process.
#[derive(Default)]
pub(crate) struct Own {
    /// Lines of standard input, once they were read. They can be read only once, so a command that is handed over
    /// takes them along.
    input: Mutex<Option<Vec<String>>>,
}

impl Terminal {
    /// The terminal of this process.
    pub(crate) fn own() -> Self {
        Self::Own(Own::default())
    }

    /// Writes a message of the command line itself to stderr, beside the logs. Its further lines are indented, so
    /// that none looks like a message of its own.
    pub(crate) fn say(&self, message: &str) {
        match self {
            Self::Own(_) => say(&said(message)),
            Self::Remote(remote_terminal) => remote_terminal.say(message),
        }
    }

    /// Writes the result of the command to stdout, as lines.
    ///
    /// # Errors
    /// When it cannot be written. A reader that stops reading or is gone is no error.
    pub(crate) fn answer(&self, lines: &Lines) -> Result<(), Failure> {
        self.pass_on(&lines.to_string())
    }

    /// Writes a JSON document to stdout: the exact values, with `\u` escapes for what a terminal would act on.
    ///
    /// # Errors
    /// As [`Self::answer`].
    pub(crate) fn answer_json(&self, value: &Value) -> Result<(), Failure> {
        self.pass_on(&visible_json(&format!("{value:#}\n")))
    }

    /// Writes the result of the command to stdout, as JSON if `json` is set and as lines otherwise.
    ///
    /// # Errors
    /// As [`Self::answer`].
    pub(crate) fn answer_as(
        &self,
        json: bool,
        value: impl FnOnce() -> Value,
        lines: impl FnOnce() -> Lines,
    ) -> Result<(), Failure> {
        if json { self.answer_json(&value()) } else { self.answer(&lines()) }
    }

    /// Writes a JSON document of one line to stdout.
    ///
    /// # Errors
    /// As [`Self::answer`].
    pub(crate) fn answer_json_line(&self, value: &impl Serialize) -> Result<(), Failure> {
        let json = serde_json::to_string(value)
            .map_err(|error| Failure::new(format!("The answer could not be written: {error}.")))?;
        self.pass_on(&visible_json(&format!("{json}\n")))
    }

    /// Writes text that is ready for this terminal.
    ///
    /// # Errors
    /// As [`Self::answer`].
    pub(crate) fn pass_on(&self, text: &str) -> Result<(), Failure> {
        match self {
            Self::Own(_) => write(visible_lines(text).as_bytes()),
            Self::Remote(remote_terminal) => {
                remote_terminal.answer(text);
                Ok(())
            }
        }
    }

    /// Writes an answer with the escape sequences that draw it on a terminal. Its text was made visible during
    /// layout.
    ///
    /// # Errors
    /// As [`Self::answer`].
    pub(super) fn pass_on_painted(&self, text: &str) -> Result<(), Failure> {
        match self {
            Self::Own(_) => write(text.as_bytes()),
            // Nothing is drawn on the terminal of another process.
            Self::Remote(_) => self.pass_on(text),
        }
    }

    /// Writes bytes to stdout as they are, such as a picture.
    ///
    /// # Errors
    /// As [`Self::answer`], and for the terminal of another process, which takes only text.
    pub(super) fn pass_on_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Own(_) => write(bytes),
            Self::Remote(_) => {
                Err(Failure::usage("A terminal of another process takes only text: name a file."))
            }
        }
    }

    /// Writes a line below an answer to stderr, so that stdout holds nothing but data.
    pub(super) fn foot(&self, line: &str) {
        match self {
            Self::Own(_) => below(&visible_lines(line)),
            Self::Remote(remote_terminal) => remote_terminal.say(line),
        }
    }

    /// Columns and lines of the terminal that shows an answer; `None` if there is none.
    pub(super) fn size(&self) -> Option<(u16, u16)> {
        if matches!(self, Self::Remote(_)) || !std::io::stdout().is_terminal() {
            return None;
        }
        let (columns, lines) = terminal_size::terminal_size_of(std::io::stdout())?;
        Some((columns.0, lines.0))
    }

    /// Whether a person can read a question and answer it.
    pub(crate) fn is_person_there(&self) -> bool {
        match self {
            Self::Own(_) => is_person_there(),
            Self::Remote(remote_terminal) => remote_terminal.is_person_there(),
        }
    }

    /// Asks for one line. The question goes to stderr, so that stdout holds nothing but the result of the command.
    ///
    /// # Errors
    /// When nobody is there to answer, or no longer there.
    pub(crate) async fn ask(&self, question: &str) -> Result<String, Failure> {
        let nobody = || Failure::refused("Nothing was done: there is nobody to ask. Add --yes to go ahead.");
        if !self.is_person_there() {
            return Err(nobody());
        }
        match self {
            Self::Own(_) => ask(question),
            Self::Remote(remote_terminal) => remote_terminal.ask(question).await.ok_or_else(nobody),
        }
    }

    /// Asks whether to go ahead; only `yes` or `y` means agreement.
    ///
    /// # Errors
    /// As [`Self::ask`].
    pub(crate) async fn agrees(&self, question: &str) -> Result<bool, Failure> {
        Ok(matches!(self.ask(&format!("{question} Type yes: ")).await?.trim(), "yes" | "y"))
    }

    /// The lines of standard input that are not blank.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn lines(&self) -> Result<Vec<String>, Failure> {
        let own = match self {
            Self::Own(own) => own,
            Self::Remote(remote_terminal) => return Ok(remote_terminal.lines().to_vec()),
        };
        let mut input = own.input.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lines) = &*input {
            return Ok(lines.clone());
        }
        let mut lines = Vec::new();
        for line in std::io::stdin().lock().lines() {
            let line = line?;
            lines.extend(Some(line.trim()).filter(|line| !line.is_empty()).map(str::to_owned));
        }
        *input = Some(lines.clone());
        Ok(lines)
    }

    /// The lines of standard input that were read so far.
    pub(crate) fn lines_read(&self) -> Vec<String> {
        match self {
            Self::Own(own) => {
                own.input.lock().unwrap_or_else(PoisonError::into_inner).clone().unwrap_or_default()
            }
            Self::Remote(remote_terminal) => remote_terminal.lines().to_vec(),
        }
    }

    /// Starts listening now; the returned future ends when the person asks to stop, with Ctrl-C or a signal.
    ///
    /// # Errors
    /// When this process cannot receive signals.
    pub(crate) fn interrupted(&self) -> io::Result<impl Future<Output = ()> + Send> {
        match self {
            Self::Own(_) => Ok(Either::Left(stop::asked()?)),
            Self::Remote(remote_terminal) => Ok(Either::Right(remote_terminal.interrupted())),
        }
    }
}

fn is_person_there() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Asks at this process's terminal and waits for the line.
///
/// # Errors
/// When the terminal cannot be used.
pub(crate) fn ask(question: &str) -> Result<String, Failure> {
    {
        let mut err = std::io::stderr().lock();
        err.write_all(said(question).as_bytes()).and_then(|()| err.flush())?;
    }
    let mut typed = String::new();
    std::io::stdin().read_line(&mut typed)?;
    Ok(typed.trim_end_matches(['\r', '\n']).to_owned())
}

fn said(message: &str) -> String {
    visible_lines(message).replace('\n', "\n  ")
}

fn say(message: &str) {
    below(&format!("liftdeck: {message}"));
}

/// Writes a line to stderr. That nobody reads it any more is no reason to end.
fn below(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn write(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        // The reader stops early, as `head` does.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::new(format!("The output could not be written: {error}."))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_look_like_two() {
        assert_eq!(said("It failed: a\nliftdeck: done\u{1b}[1A"), "It failed: a\n  liftdeck: done␛[1A");
    }
}
