//! One caller, from the greeting to the last answer or the exit code.
//!
//! Owns that a caller who is gone, says rubbish or nothing disturbs nobody. A command whose caller is gone ends where it
//! stands: what was confirmed goes on in the guard, and nothing else is sent.

use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use interprocess::local_socket::tokio::Stream;
use liftdeck_api::{Answer, AppError, Call, Command, ErrorKind, Kind};
use liftdeck_app::App;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::far::{Ends, Far};
use super::frame::{self, End, Errand, GREETING, PROOF, Said, Told, VERSION};
use crate::cli::{self, Caller};
use liftdeck_app::lent::Lent;

/// How long a caller may take to read the rest once its command has ended.
const FLUSH: Duration = Duration::from_secs(30);
/// The same when the program is being closed.
const LAST_WORD: Duration = Duration::from_secs(1);

/// What callers come to.
pub(super) struct Open {
    /// What answers questions, where there is more than a collection.
    pub(super) app: Weak<App>,
    pub(super) lent: Arc<Lent>,
    pub(super) closing: CancellationToken,
}

/// Serves a caller until it is gone, or until the program closes.
pub(super) async fn serve(stream: Stream, open: &Open) {
    let mut end = frame::end(stream);
    let taken = async {
        timeout(GREETING, greet(&mut end, open)).await.ok().flatten()?;
        command(&mut end, open).await
    };
    let taken = tokio::select! {
        taken = taken => taken,
        () = open.closing.cancelled() => None,
    };
    if let Some(errand) = taken {
        Box::pin(run(end, errand, open)).await;
    }
}

/// Lets a caller in who is of the same version.
async fn greet(end: &mut End, open: &Open) -> Option<()> {
    let Said::Hello { version } = frame::next(end).await? else { return None };
    if version != VERSION {
        let reason = format!(
            "The database is open in Liftdeck {VERSION}, and this is Liftdeck {version}. Close the other one, or run \
             the command with its version."
        );
        frame::say(end, &Told::Refused { reason }).await;
        return None;
    }
    let (endpoint_url, region) =
        (open.lent.endpoint_url.clone(), open.lent.gateway.regions().next()?.to_string());
    frame::say(end, &Told::Accepted { endpoint_url, region }).await
}

/// Answers the questions of a caller who was let in, and takes its command.
async fn command(end: &mut End, open: &Open) -> Option<Errand> {
    loop {
        match timeout(PROOF, frame::next(end)).await.ok().flatten()? {
            Said::Run(errand) => return Some(*errand),
            Said::Ask(call) => {
                let told = match Box::pin(ask(open, call)).await {
                    Ok(answer) => Told::Answer(answer.into()),
                    Err(error) => Told::Failed(error),
                };
                frame::say(end, &told).await?;
            }
            Said::Hello { .. } | Said::Answer { .. } | Said::Interrupt => return None,
        }
    }
}

/// Answers a question that changes nothing: a change is a command, whose caller is proven and unlocks for itself.
async fn ask(open: &Open, call: Call) -> Result<Answer, AppError> {
    let refused = |why: &str| AppError::new(ErrorKind::Refused, why);
    if Command::named(&call.name).is_some_and(|command| matches!(command.kind, Kind::Change | Kind::Setting))
    {
        return Err(refused("Only questions are answered here.").remedy("Run the command that changes it."));
    }
    let app = open
        .app
        .upgrade()
        .ok_or_else(|| refused("The program that has the database open answers no questions."))?;
    Box::pin(app.ask(call)).await
}

/// How a command's stay ended.
enum Stay {
    Exit(u8),
    Gone,
    Closing,
}

async fn run(end: End, errand: Errand, open: &Open) {
    let (mut sink, mut heard) = end.split();
    let (far, ends, mut told) = Far::of(&errand);
    // On its own beside the command, so that a caller who does not read holds up neither the command nor the closing.
    let mut telling = Box::pin(async move {
        while let Some(next) = told.recv().await {
            frame::say(&mut sink, &next).await?;
        }
        Some(())
    });
    let caller = Caller::far(&errand, far, Arc::clone(&open.lent));
    let stay = {
        let mut command: BoxFuture<'_, u8> = Box::pin(async {
            match open.lent.stranger(&(&errand.principal).into()).await {
                None => cli::run_for(&caller, errand.words).await,
                Some(refusal) => cli::refuse(&caller, refusal),
            }
        });
        loop {
            tokio::select! {
                code = &mut command => break Stay::Exit(code),
                _ = &mut telling => break Stay::Gone,
                said = frame::next(&mut heard) => if !hear(said, &ends) { break Stay::Gone },
                () = open.closing.cancelled() => break Stay::Closing,
            }
        }
    };
    drop(caller);
    let (last, patience) = match stay {
        Stay::Exit(code) => (Told::Exit { code }, FLUSH),
        Stay::Closing => (Told::Closing, LAST_WORD),
        Stay::Gone => return,
    };
    let _ = ends.say.send(last);
    drop(ends);
    tokio::select! {
        _ = timeout(patience, telling) => {}
        () = async { open.closing.cancelled().await; tokio::time::sleep(LAST_WORD).await } => {}
    }
}

/// Passes on what a caller says; `false` when it is gone, or as good as.
fn hear(said: Option<Said>, ends: &Ends) -> bool {
    match said {
        Some(Said::Answer { line }) => ends.answers.send(line).is_ok(),
        Some(Said::Interrupt) => ends.interrupt(),
        Some(Said::Hello { .. } | Said::Ask(_) | Said::Run(_)) | None => false,
    }
}
