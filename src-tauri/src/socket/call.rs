//! The caller's side: a command that finds its database open in another program is handed over to that program.
//!
//! Owns the exchange with this terminal on the other program's behalf, and the message when the connection breaks.
//! This process asks AWS for its own identity, with its own profile and environment, because the other program runs
//! commands only for the same identity.

use std::path::Path;

use liftdeck_gateway::{CallerIdentity, ConnectionSpec, Gateway};
use liftdeck_model::Region;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::address::Address;
use super::frame::{self, CallerFrame, End, GREETING, HandedCommand, HostFrame, VERSION};
use crate::cli::{Caller, Failure, ask};
use crate::stop::Signals;
use liftdeck_api::error::AppError;
use liftdeck_app::shared::with_profile;

/// The exit code that a shell reports for Ctrl-C.
const INTERRUPTED: u8 = 130;

/// The result of handing a command over.
pub(crate) enum Handed {
    /// Nobody answered: the database is in use by a program that takes no commands.
    Nobody,
    /// The command ended with this exit code, and all its output has been written.
    Ended(u8),
}

/// Hands this process's command to the program that has the database open, and relays its output and questions until
/// it ends.
///
/// # Errors
/// When the other program refuses, with its reason, or when the connection breaks.
pub(crate) async fn hand_over(
    database: &Path,
    spec: ConnectionSpec,
    caller: &Caller,
) -> Result<Handed, Failure> {
    let Some((mut end, answer)) = timeout(GREETING, greet(database)).await.ok().flatten() else {
        return Ok(Handed::Nobody);
    };
    let (endpoint_url, region) = match answer {
        HostFrame::Accepted { endpoint_url, region } => (endpoint_url, region),
        HostFrame::Refused { reason } => return Err(Failure::new(reason)),
        _ => return Ok(Handed::Nobody),
    };
    let principal = principal(database, spec, endpoint_url, region).await?;
    let Some(handed) = handed(caller, principal) else { return Ok(Handed::Nobody) };
    // Listen before the command starts over there, so that a request to stop is passed on to it.
    let signals = Signals::listen()?;
    if frame::say(&mut end, &CallerFrame::Run(Box::new(handed))).await.is_none() {
        return Err(broken());
    }
    speak(&mut end, caller, signals).await.map(Handed::Ended)
}

/// The identity that AWS sees for this process, with the credentials the command would have used on its own.
async fn principal(
    database: &Path,
    spec: ConnectionSpec,
    endpoint_url: Option<String>,
    region: Region,
) -> Result<CallerIdentity, Failure> {
    let profile = spec.profile.clone();
    // The open connection decides where requests go. The identity is that of the caller's credentials, whatever its
    // account.
    let spec = ConnectionSpec { account: None, endpoint_url, regions: vec![region], ..spec };
    let asked = async { Box::pin(Box::pin(Gateway::connect(spec)).await?.prove()).await };
    match asked.await.map_err(AppError::from) {
        Ok(caller) => Ok(caller),
        Err(error) => Err(Failure::refused(format!(
            "Nothing was sent: {} is open in another Liftdeck, which runs commands only for its own AWS identity, \
             and AWS did not say which identity this command has {}. {}{} Name the profile with --profile, or close \
             the other program.",
            database.display(),
            with_profile(profile.as_deref()),
            error.message,
            error.remedy.map(|remedy| format!(" {remedy}")).unwrap_or_default()
        ))),
    }
}

/// The command as it was given; `None` if a frame cannot carry it.
fn handed(caller: &Caller, principal: CallerIdentity) -> Option<HandedCommand> {
    let words = std::env::args_os().map(|word| word.into_string().ok()).collect::<Option<_>>()?;
    Some(HandedCommand {
        words,
        folder: std::env::current_dir().ok()?,
        home: caller.home().ok()?.absolute()?,
        lines: caller.terminal.lines_read(),
        is_person_there: caller.terminal.is_person_there(),
        principal,
    })
}

/// Connects to the program that has a database open, and reads whether it lets this process in.
pub(super) async fn greet(database: &Path) -> Option<(End, HostFrame)> {
    let mut end = frame::end(Address::found(database)?.connect().await?);
    frame::say(&mut end, &CallerFrame::Hello { version: VERSION.to_owned() }).await?;
    let answer = frame::next(&mut end).await?;
    Some((end, answer))
}

/// Relays between the other program and this terminal until the command has ended.
async fn speak(end: &mut End, caller: &Caller, mut signals: Signals) -> Result<u8, Failure> {
    let (answers, mut answered) = mpsc::unbounded_channel();
    let mut is_interrupted = false;
    loop {
        tokio::select! {
            told = frame::next(end) => match told {
                Some(HostFrame::Out { text }) => caller.terminal.pass_on(&text)?,
                Some(HostFrame::Err { text }) => caller.terminal.say(&text),
                Some(HostFrame::Ask { question }) => {
                    let answers = answers.clone();
                    // Runs on its own thread, which nobody waits for: the connection may break while a person thinks.
                    std::thread::spawn(move || answers.send(ask(&question).ok()));
                }
                Some(HostFrame::Exit { code }) => return Ok(code),
                None if is_interrupted => return Ok(INTERRUPTED),
                Some(
                    HostFrame::Closing
                    | HostFrame::Accepted { .. }
                    | HostFrame::Refused { .. }
                    | HostFrame::Answer(_)
                    | HostFrame::Failed(_),
                )
                | None => return Err(broken()),
            },
            Some(answer) = answered.recv() => {
                if frame::say(end, &CallerFrame::Answer { line: answer }).await.is_none() {
                    return Err(broken());
                }
            }
            () = signals.asked() => {
                // A second request means that the person does not want to wait until a run is paused.
                if is_interrupted || frame::say(end, &CallerFrame::Interrupt).await.is_none() {
                    return Ok(INTERRUPTED);
                }
                is_interrupted = true;
            }
        }
    }
}

fn broken() -> Failure {
    Failure::new(
        "The program that has the database open was closed before the command ended. What was sent by then is on record: \
         `liftdeck activity list` shows it.",
    )
}
