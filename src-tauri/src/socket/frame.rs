//! What goes over the socket: one JSON object a line, each side with its own kinds.
//!
//! Owns the form and its limits. Questions and arguments are never logged: these types show nothing of themselves.

use std::path::PathBuf;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::{SinkExt, StreamExt};
use interprocess::local_socket::tokio::Stream;
use liftdeck_api::{Answer, AppError, Call, File};
use liftdeck_gateway::CallerIdentity;
use liftdeck_model::AccountId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio_util::codec::{Framed, LinesCodec};

use liftdeck_app::home::Home;

/// The version both ends have to share: a command is parsed by the program that runs it.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// How long either side waits for the other's part of the greeting. A program that is gone refuses the connection at
/// once; one that is busy may need seconds.
pub(super) const GREETING: Duration = Duration::from_secs(20);
/// How long a caller may take between the greeting and its command: it asks AWS who it is, and what gives its credentials
/// may ask a person.
pub(super) const PROOF: Duration = Duration::from_secs(120);
/// The longest frame, in bytes: thousands of ARNs from standard input, or the result of as many changes.
const LONGEST: usize = 64 * 1_024 * 1_024;

/// What a caller says.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Said {
    /// First of all.
    Hello {
        /// The caller's version.
        version: String,
    },
    /// Once it is let in: a question, which is answered before the next.
    Ask(Call),
    /// Once it is let in: the command.
    Run(Box<Errand>),
    /// What a person answered; `None` when nobody can.
    Answer {
        /// The line without its end.
        line: Option<String>,
    },
    /// A person asks to stop.
    Interrupt,
}

/// A command to run for somebody else.
#[derive(Serialize, Deserialize)]
pub(crate) struct Errand {
    /// All arguments, the program's name first.
    pub(crate) words: Vec<String>,
    /// The caller's current folder.
    pub(crate) folder: PathBuf,
    /// The caller's settings and connections.
    pub(crate) home: Home,
    /// What the caller has read of its standard input.
    pub(crate) lines: Vec<String>,
    /// Whether somebody at the caller's terminal can be asked.
    pub(crate) is_person_there: bool,
    /// Whom AWS takes the caller for.
    pub(super) principal: Principal,
}

/// Whom AWS takes a process for, with the credentials that process has.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Principal {
    pub(super) account: AccountId,
    pub(super) arn: String,
}

impl From<&Principal> for CallerIdentity {
    fn from(principal: &Principal) -> Self {
        Self { account: principal.account.clone(), arn: principal.arn.clone() }
    }
}

impl From<CallerIdentity> for Principal {
    fn from(caller: CallerIdentity) -> Self {
        Self { account: caller.account, arn: caller.arn }
    }
}

/// What the program says that has the database open.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Told {
    /// The caller is let in. Before it says its command it asks AWS whom it acts as: where this program asks.
    Accepted {
        /// An endpoint other than AWS's own.
        endpoint_url: Option<String>,
        /// A Region of the connection.
        region: String,
    },
    /// The caller is known but not let in.
    Refused {
        /// A sentence.
        reason: String,
    },
    /// The answer to a question.
    Answer(Answered),
    /// Why there is none.
    Failed(AppError),
    /// For stdout.
    Out {
        /// As it is to be written.
        text: String,
    },
    /// For stderr.
    Err {
        /// One line without its end.
        text: String,
    },
    /// To be asked of a person.
    Ask {
        /// The question.
        question: String,
    },
    /// The command has ended.
    Exit {
        /// With this code.
        code: u8,
    },
    /// The program closes before the command has ended.
    Closing,
}

/// An answer on its way through the socket.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answered {
    /// JSON text.
    Json(String),
    /// Raw bytes in Base64.
    Bytes(String),
    /// A file, its content in Base64.
    File { name: String, contents: String },
}

impl From<Answer> for Answered {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Json(text) => Self::Json(text),
            Answer::Bytes(bytes) => Self::Bytes(STANDARD.encode(bytes)),
            Answer::File(File { name, contents }) => Self::File { name, contents: STANDARD.encode(contents) },
        }
    }
}

impl Answered {
    /// The answer as it was given; `None` for what is not Base64.
    pub(super) fn into_answer(self) -> Option<Answer> {
        Some(match self {
            Self::Json(text) => Answer::Json(text),
            Self::Bytes(text) => Answer::Bytes(STANDARD.decode(text).ok()?),
            Self::File { name, contents } => {
                Answer::File(File { name, contents: STANDARD.decode(contents).ok()? })
            }
        })
    }
}

/// One end of the socket.
pub(super) type End = Framed<Stream, LinesCodec>;

/// An end that takes frames.
pub(super) fn end(stream: Stream) -> End {
    Framed::new(stream, LinesCodec::new_with_max_length(LONGEST))
}

/// What is said next; `None` when the other side is gone or says what is no frame.
pub(super) async fn next<T: DeserializeOwned>(
    end: &mut (impl StreamExt<Item = Result<String, tokio_util::codec::LinesCodecError>> + Unpin),
) -> Option<T> {
    serde_json::from_str(&end.next().await?.ok()?).ok()
}

/// Says something; `None` when the other side is gone.
pub(super) async fn say<T: Serialize>(end: &mut (impl SinkExt<String> + Unpin), frame: &T) -> Option<()> {
    end.send(serde_json::to_string(frame).ok()?).await.ok()
}
