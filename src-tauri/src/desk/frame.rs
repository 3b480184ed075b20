//! What goes over the line between a caller and a desk: one JSON object a line, each side with its own kinds.
//!
//! Owns the form and its limits. Token and arguments are never logged: these types show nothing of themselves.

use std::path::PathBuf;
use std::time::Duration;

use futures::{SinkExt, StreamExt};
use liftdeck_gateway::CallerIdentity;
use liftdeck_model::AccountId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::net::TcpStream;
use tokio_util::codec::{Framed, LinesCodec};

use crate::home::Home;

/// The version callers and desks have to share: a command is parsed by the program that runs it.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// How long either side waits for the other's part of the greeting. A program that is gone refuses the connection at
/// once; one that is busy may need seconds.
pub(super) const GREETING: Duration = Duration::from_secs(20);
/// How long a caller may take between the greeting and its command: it asks AWS who it is, and what gives its credentials
/// may ask a person.
pub(super) const PROOF: Duration = Duration::from_secs(120);
/// The longest frame of somebody who has not shown the token yet, in bytes.
const LONGEST_GREETING: usize = 4 * 1_024;
/// The longest frame afterwards: thousands of ARNs from standard input, or the result of as many changes.
const LONGEST: usize = 64 * 1_024 * 1_024;

/// What a caller says.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Said {
    /// First of all.
    Hello {
        /// What the note beside the database holds.
        token: String,
        /// The caller's version.
        version: String,
    },
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

/// Which credentials a process acts with, as people say it.
pub(super) fn with_profile(profile: Option<&str>) -> String {
    profile.map_or_else(|| "without a profile".to_owned(), |name| format!("with the profile {name}"))
}

impl From<CallerIdentity> for Principal {
    fn from(caller: CallerIdentity) -> Self {
        Self { account: caller.account, arn: caller.arn }
    }
}

/// What a desk says.
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
    /// The program at the desk closes before the command has ended.
    Closing,
}

/// One side's end of the line.
pub(super) type Line = Framed<TcpStream, LinesCodec>;

/// A line on which hardly anything may be said yet.
pub(super) fn line(stream: TcpStream) -> Line {
    Framed::new(stream, LinesCodec::new_with_max_length(LONGEST_GREETING))
}

/// Lets more be said, once the two know each other.
pub(super) fn trust(line: &mut Line) {
    *line.codec_mut() = LinesCodec::new_with_max_length(LONGEST);
}

/// What is said next; `None` when the other side is gone or says what is no frame.
pub(super) async fn next<T: DeserializeOwned>(
    line: &mut (impl StreamExt<Item = Result<String, tokio_util::codec::LinesCodecError>> + Unpin),
) -> Option<T> {
    serde_json::from_str(&line.next().await?.ok()?).ok()
}

/// Says something; `None` when the other side is gone.
pub(super) async fn say<T: Serialize>(line: &mut (impl SinkExt<String> + Unpin), frame: &T) -> Option<()> {
    line.send(serde_json::to_string(frame).ok()?).await.ok()
}
