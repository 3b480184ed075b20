//! The caller's side: a command that finds its database open elsewhere takes itself there.
//!
//! Owns speaking for the other program at this terminal, and what is said when the connection breaks. Whom this process acts
//! as it asks AWS itself, with its own profile and environment: the other program runs nothing for anybody else.

use std::path::Path;

use tokio::sync::mpsc;
use tokio::time::timeout;

use super::address::Address;
use super::frame::{self, End, Errand, GREETING, Principal, Said, Told, VERSION};
use crate::cli::{Caller, Failure, ask};
use crate::stop::Signals;
use liftdeck_api::error::AppError;
use liftdeck_app::lent::with_profile;
use liftdeck_app::reach::Reach;

/// What a shell calls an end by Ctrl-C.
const INTERRUPTED: u8 = 130;

/// What became of handing a command over.
pub(crate) enum Handed {
    /// Nobody answers: the database is in use by something that takes no commands.
    Nobody,
    /// The command ended with this exit code, and all it had to say was said.
    Ended(u8),
}

/// Hands this process's command to the program that has the database open, and speaks for it until it ends.
///
/// # Errors
/// With the sentence the other program refuses with, or when the connection breaks.
pub(crate) async fn hand_over(database: &Path, reach: Reach, caller: &Caller) -> Result<Handed, Failure> {
    let Some((mut end, answer)) = timeout(GREETING, greet(database)).await.ok().flatten() else {
        return Ok(Handed::Nobody);
    };
    let (endpoint_url, region) = match answer {
        Told::Accepted { endpoint_url, region } => (endpoint_url, region),
        Told::Refused { reason } => return Err(Failure::new(reason)),
        _ => return Ok(Handed::Nobody),
    };
    let principal = principal(database, reach, endpoint_url, region).await?;
    let Some(errand) = errand(caller, principal) else { return Ok(Handed::Nobody) };
    // Heard from before the command begins over there: asked to stop, it is that one that has to know.
    let signals = Signals::listen()?;
    if frame::say(&mut end, &Said::Run(Box::new(errand))).await.is_none() {
        return Err(broken());
    }
    speak(&mut end, caller, signals).await.map(Handed::Ended)
}

/// Whom AWS takes this very process for, with the credentials the command would have used by itself.
async fn principal(
    database: &Path,
    reach: Reach,
    endpoint_url: Option<String>,
    region: String,
) -> Result<Principal, Failure> {
    let profile = reach.profile.clone();
    // What is open decides where requests go; whose they are is the caller's alone, whichever account that is.
    let reach = Reach { account: None, endpoint_url, regions: vec![region], ..reach };
    let asked = async { Ok::<_, AppError>(Box::pin(reach.connect().await?.prove()).await?) };
    match asked.await {
        Ok(caller) => Ok(caller.into()),
        Err(error) => Err(Failure::refused(format!(
            "Nothing was sent: {} is open in another Liftdeck, which runs a command only for whom it acts as itself, \
                 and AWS did not say whom this one acts as {}. {}{} Name the profile with --profile, or close the \
                 other program.",
            database.display(),
            with_profile(profile.as_deref()),
            error.message,
            error.remedy.map(|remedy| format!(" {remedy}")).unwrap_or_default()
        ))),
    }
}

/// The command as it was given; `None` for what no frame can carry.
fn errand(caller: &Caller, principal: Principal) -> Option<Errand> {
    let words = std::env::args_os().map(|word| word.into_string().ok()).collect::<Option<_>>()?;
    Some(Errand {
        words,
        folder: std::env::current_dir().ok()?,
        home: caller.home().ok()?.absolute()?,
        lines: caller.terminal.lines_read(),
        is_person_there: caller.terminal.is_person_there(),
        principal,
    })
}

/// Comes to the program that has a database open, and hears whether it lets this one in.
pub(super) async fn greet(database: &Path) -> Option<(End, Told)> {
    let mut end = frame::end(Address::found(database)?.connect().await?);
    frame::say(&mut end, &Said::Hello { version: VERSION.to_owned() }).await?;
    let answer = frame::next(&mut end).await?;
    Some((end, answer))
}

/// Speaks for the other program at this terminal until the command has ended.
async fn speak(end: &mut End, caller: &Caller, mut signals: Signals) -> Result<u8, Failure> {
    let (answers, mut answered) = mpsc::unbounded_channel();
    let mut is_interrupted = false;
    loop {
        tokio::select! {
            told = frame::next(end) => match told {
                Some(Told::Out { text }) => caller.terminal.pass_on(&text)?,
                Some(Told::Err { text }) => caller.terminal.say(&text),
                Some(Told::Ask { question }) => {
                    let answers = answers.clone();
                    // On a thread of its own, which nobody waits for: the connection may break while a person thinks.
                    std::thread::spawn(move || answers.send(ask(&question).ok()));
                }
                Some(Told::Exit { code }) => return Ok(code),
                None if is_interrupted => return Ok(INTERRUPTED),
                Some(
                    Told::Closing
                    | Told::Accepted { .. }
                    | Told::Refused { .. }
                    | Told::Answer(_)
                    | Told::Failed(_),
                )
                | None => return Err(broken()),
            },
            Some(answer) = answered.recv() => {
                if frame::say(end, &Said::Answer { line: answer }).await.is_none() {
                    return Err(broken());
                }
            }
            () = signals.asked() => {
                // Who asks twice does not want to wait for a run to be paused.
                if is_interrupted || frame::say(end, &Said::Interrupt).await.is_none() {
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
