//! Serves one caller, from the greeting to the last answer or the exit code.
//!
//! Owns the rule that a caller that is gone, sends rubbish or stays silent disturbs nobody else. If the caller of a
//! command is gone, the command ends where it is: confirmed changes go on in the guard, and nothing else is sent.

use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use interprocess::local_socket::tokio::Stream;
use liftdeck_api::{Answer, AppError, Call, ErrorKind};
use liftdeck_app::App;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::frame::{self, CallerFrame, End, GREETING, HandedCommand, HostFrame, PROOF, VERSION};
use super::remote_terminal::{Ends, RemoteTerminal};
use crate::cli::{self, Caller};
use liftdeck_app::shared::SharedConnection;

/// How long a caller may take to read the remaining output once its command has ended.
const FLUSH: Duration = Duration::from_secs(30);
/// The same when the program is being closed.
const LAST_WORD: Duration = Duration::from_secs(1);

/// The open database, as callers use it.
pub(super) struct Open {
    /// The core that answers questions; a bare collection has none.
    pub(super) app: Weak<App>,
    pub(super) shared: Arc<SharedConnection>,
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
    if let Some(handed) = taken {
        Box::pin(run(end, handed, open)).await;
    }
}

/// Lets in a caller of the same version.
async fn greet(end: &mut End, open: &Open) -> Option<()> {
    let CallerFrame::Hello { version } = frame::next(end).await? else { return None };
    if version != VERSION {
        let reason = format!(
            "The database is open in Liftdeck {VERSION}, and this is Liftdeck {version}. Close the other one, or run \
             the command with its version."
        );
        frame::say(end, &HostFrame::Refused { reason }).await;
        return None;
    }
    let gateway = &open.shared.gateway;
    let (endpoint_url, region) = (gateway.spec().endpoint_url.clone(), gateway.regions().next()?.clone());
    frame::say(end, &HostFrame::Accepted { endpoint_url, region }).await
}

/// Answers the questions of a caller that was let in, and returns its command.
async fn command(end: &mut End, open: &Open) -> Option<HandedCommand> {
    loop {
        match timeout(PROOF, frame::next(end)).await.ok().flatten()? {
            CallerFrame::Run(handed) => return Some(*handed),
            CallerFrame::Ask(call) => {
                let told = match Box::pin(ask(open, call)).await {
                    Ok(answer) => HostFrame::Answer(answer),
                    Err(error) => HostFrame::Failed(error),
                };
                frame::say(end, &told).await?;
            }
            CallerFrame::Hello { .. } | CallerFrame::Answer { .. } | CallerFrame::Interrupt => return None,
        }
    }
}

/// Answers a question that changes nothing. A change has to come as a command, whose caller's identity is checked and
/// which unlocks the guard for itself.
async fn ask(open: &Open, call: Call) -> Result<Answer, AppError> {
    let refused = |why: &str| AppError::new(ErrorKind::Refused, why);
    if call.is_a_change() {
        return Err(refused("Only commands that read are answered here.")
            .remedy("Use the command that makes the change."));
    }
    let app = open
        .app
        .upgrade()
        .ok_or_else(|| refused("The program that has the database open answers no commands."))?;
    Box::pin(app.ask(call)).await
}

/// How serving a command ended.
enum Stay {
    Exit(u8),
    Gone,
    Closing,
}

async fn run(end: End, handed: HandedCommand, open: &Open) {
    let (mut sink, mut heard) = end.split();
    let (remote_terminal, ends, mut told) = RemoteTerminal::of(&handed);
    // Output is sent alongside the command, so that a caller that does not read delays neither the command nor
    // closing.
    let mut telling = Box::pin(async move {
        while let Some(next) = told.recv().await {
            frame::say(&mut sink, &next).await?;
        }
        Some(())
    });
    let caller = Caller::remote(&handed, remote_terminal, Arc::clone(&open.shared));
    let stay = {
        let mut command: BoxFuture<'_, u8> = Box::pin(async {
            match open.shared.stranger(&handed.principal).await {
                None => cli::run_for(&caller, handed.words).await,
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
        Stay::Exit(code) => (HostFrame::Exit { code }, FLUSH),
        Stay::Closing => (HostFrame::Closing, LAST_WORD),
        Stay::Gone => return,
    };
    let _ = ends.say.send(last);
    drop(ends);
    tokio::select! {
        _ = timeout(patience, telling) => {}
        () = async { open.closing.cancelled().await; tokio::time::sleep(LAST_WORD).await } => {}
    }
}

/// Passes on what a caller sent; `false` if it is gone or has to be treated as gone.
fn hear(said: Option<CallerFrame>, ends: &Ends) -> bool {
    match said {
        Some(CallerFrame::Answer { line }) => ends.answers.send(line).is_ok(),
        Some(CallerFrame::Interrupt) => ends.interrupt(),
        Some(CallerFrame::Hello { .. } | CallerFrame::Ask(_) | CallerFrame::Run(_)) | None => false,
    }
}
