//! The frames on the socket: one JSON object per line, of different kinds for each side.
//!
//! Owns the format and its limits. Questions and arguments are never logged: these types do not implement `Debug`.

use std::path::PathBuf;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use interprocess::local_socket::tokio::Stream;
use liftdeck_api::{Answer, AppError, Call};
use liftdeck_gateway::CallerIdentity;
use liftdeck_model::Region;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio_util::codec::{Framed, LinesCodec};

use liftdeck_app::home::Home;

/// The version that both ends must share, because a command is parsed by the program that runs it.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// How long each side waits for the other's part of the greeting. A connection to a program that is gone fails at
/// once; a busy program may need seconds.
pub(super) const GREETING: Duration = Duration::from_secs(20);
/// How long a caller may take between the greeting and its command: it asks AWS for its identity, and the source of
/// its credentials may ask a person.
pub(super) const PROOF: Duration = Duration::from_secs(120);
/// The longest frame, in bytes: thousands of ARNs from standard input, or the result of as many changes.
const LONGEST: usize = 64 * 1_024 * 1_024;

/// A frame from the caller.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum CallerFrame {
    /// The first frame.
    Hello {
        /// The caller's version.
        version: String,
    },
    /// After it is let in: a question, which is answered before the next is read.
    Ask(Call),
    /// After it is let in: the command.
    Run(Box<HandedCommand>),
    /// A person's answer; `None` if nobody can answer.
    Answer {
        /// The line without its line ending.
        line: Option<String>,
    },
    /// A person asks to stop.
    Interrupt,
}

/// A command to run for another process.
#[derive(Serialize, Deserialize)]
pub(crate) struct HandedCommand {
    /// All arguments, the program's name first.
    pub(crate) words: Vec<String>,
    /// The caller's current folder.
    pub(crate) folder: PathBuf,
    /// The caller's settings and connections.
    pub(crate) home: Home,
    /// The lines that the caller has read from its standard input.
    pub(crate) lines: Vec<String>,
    /// Whether there is a person at the caller's terminal to ask.
    pub(crate) is_person_there: bool,
    /// The identity that AWS sees for the caller.
    pub(super) principal: CallerIdentity,
}

/// A frame from the program that has the database open.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum HostFrame {
    /// The caller is let in. Before it sends its command it asks AWS for its identity, where this program sends its
    /// requests.
    Accepted {
        /// An endpoint other than AWS's own.
        endpoint_url: Option<String>,
        /// A Region of the connection.
        region: Region,
    },
    /// The caller was understood but is not let in.
    Refused {
        /// Why, in a sentence.
        reason: String,
    },
    /// The answer to a question.
    Answer(Answer),
    /// Why there is no answer.
    Failed(AppError),
    /// Text for stdout.
    Out {
        /// The text exactly as it is to be written.
        text: String,
    },
    /// A line for stderr.
    Err {
        /// The line without its line ending.
        text: String,
    },
    /// A question for a person.
    Ask {
        /// The question.
        question: String,
    },
    /// The command has ended.
    Exit {
        /// Its exit code.
        code: u8,
    },
    /// The program closes before the command has ended.
    Closing,
}

/// One end of the socket.
pub(super) type End = Framed<Stream, LinesCodec>;

/// Wraps a stream so that it carries frames.
pub(super) fn end(stream: Stream) -> End {
    Framed::new(stream, LinesCodec::new_with_max_length(LONGEST))
}

/// Reads the next frame; `None` if the other side is gone or sent something that is not a frame.
pub(super) async fn next<T: DeserializeOwned>(
    end: &mut (impl StreamExt<Item = Result<String, tokio_util::codec::LinesCodecError>> + Unpin),
) -> Option<T> {
    serde_json::from_str(&end.next().await?.ok()?).ok()
}

/// Sends a frame; `None` if the other side is gone.
pub(super) async fn say<T: Serialize>(end: &mut (impl SinkExt<String> + Unpin), frame: &T) -> Option<()> {
    end.send(serde_json::to_string(frame).ok()?).await.ok()
}
