//! One caller at the desk, from the greeting to the exit code.
//!
//! Owns that a caller who is gone, says rubbish or nothing disturbs nobody. A command whose caller is gone ends where it
//! stands: what was confirmed goes on in the guard, and nothing else is sent.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use subtle::ConstantTimeEq;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::far::{Ends, Far};
use super::frame::{self, Errand, GREETING, Line, PROOF, Said, Told, VERSION};
use super::lent::Lent;
use crate::cli::{self, Caller};

/// How long a caller may take to read the rest once its command has ended.
const FLUSH: Duration = Duration::from_secs(30);
/// The same when the program is being closed.
const LAST_WORD: Duration = Duration::from_secs(1);

/// What is behind the door.
pub(super) struct Door {
    pub(super) token: String,
    pub(super) lent: Arc<Lent>,
    pub(super) closing: CancellationToken,
}

/// Serves a caller until it is gone, or until the program closes.
pub(super) async fn serve(stream: TcpStream, door: &Door) {
    let mut line = frame::line(stream);
    let taken = async {
        timeout(GREETING, greet(&mut line, door)).await.ok().flatten()?;
        timeout(PROOF, command(&mut line)).await.ok().flatten()
    };
    let taken = tokio::select! {
        taken = taken => taken,
        () = door.closing.cancelled() => None,
    };
    if let Some(errand) = taken {
        Box::pin(run(line, errand, door)).await;
    }
}

/// Lets a caller in who shows the token.
async fn greet(line: &mut Line, door: &Door) -> Option<()> {
    let Said::Hello { token, version } = frame::next(line).await? else { return None };
    if !bool::from(token.as_bytes().ct_eq(door.token.as_bytes())) {
        return None;
    }
    if version != VERSION {
        let reason = format!(
            "The database is open in Liftdeck {VERSION}, and this is Liftdeck {version}. Close the other one, or run \
             the command with its version."
        );
        frame::say(line, &Told::Refused { reason }).await;
        return None;
    }
    frame::trust(line);
    let (endpoint_url, region) =
        (door.lent.endpoint_url.clone(), door.lent.gateway.regions().next()?.to_string());
    frame::say(line, &Told::Accepted { endpoint_url, region }).await
}

/// Takes the command of a caller who was let in.
async fn command(line: &mut Line) -> Option<Errand> {
    match frame::next(line).await? {
        Said::Run(errand) => Some(*errand),
        Said::Hello { .. } | Said::Answer { .. } | Said::Interrupt => None,
    }
}

/// How a command's stay ended.
enum Stay {
    Exit(u8),
    Gone,
    Closing,
}

async fn run(line: Line, errand: Errand, door: &Door) {
    let (mut sink, mut heard) = line.split();
    let (far, ends, mut told) = Far::of(&errand);
    // On its own beside the command, so that a caller who does not read holds up neither the command nor the closing.
    let mut telling = Box::pin(async move {
        while let Some(next) = told.recv().await {
            frame::say(&mut sink, &next).await?;
        }
        Some(())
    });
    let caller = Caller::far(&errand, far, Arc::clone(&door.lent));
    let stay = {
        let mut command: BoxFuture<'_, u8> = Box::pin(async {
            match door.lent.stranger(&errand.principal).await {
                None => cli::run_for(&caller, errand.words).await,
                Some(refusal) => cli::refuse(&caller, refusal),
            }
        });
        loop {
            tokio::select! {
                code = &mut command => break Stay::Exit(code),
                _ = &mut telling => break Stay::Gone,
                said = frame::next(&mut heard) => if !hear(said, &ends) { break Stay::Gone },
                () = door.closing.cancelled() => break Stay::Closing,
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
        () = async { door.closing.cancelled().await; tokio::time::sleep(LAST_WORD).await } => {}
    }
}

/// Passes on what a caller says; `false` when it is gone, or as good as.
fn hear(said: Option<Said>, ends: &Ends) -> bool {
    match said {
        Some(Said::Answer { line }) => ends.answers.send(line).is_ok(),
        Some(Said::Interrupt) => ends.interrupt(),
        Some(Said::Hello { .. } | Said::Run(_)) | None => false,
    }
}
