//! The door of the window: a second start brings its link here, instead of opening a window of its own.
//!
//! On the same kind of socket as an open database, and for the same reasons: only this user is let in, nothing has to
//! be installed, and a window of another home is another window. Owns the exchange. Deliberately does not know what a
//! link leads to.

use std::path::{Path, PathBuf};
use std::time::Duration;

use interprocess::local_socket::traits::tokio::Listener as _;
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_model::link::{BadLink, Link};
use serde::{Deserialize, Serialize};
use tokio::time::{sleep, timeout};

use super::address::{Address, is_own};
use super::frame;

/// How long each side waits for the other: a window that opens a connection answers after that.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a window without the door looks whether the one that has it is gone.
const AGAIN: Duration = Duration::from_secs(5);

/// What a second start brings.
#[derive(Serialize, Deserialize)]
struct Brought {
    link: String,
}

/// What becomes of it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Shown,
    Refused(AppError),
}

/// How handing a link over ended.
pub(crate) enum Followed {
    /// No window of this user runs.
    Nobody,
    /// The window shows it, or asks its person about it.
    Shown,
    /// The window does not, with the reason.
    Refused(AppError),
}

/// Hands a link to the window of this user.
pub(crate) async fn follow(door: &Path, link: &Link) -> Followed {
    let exchanged = timeout(PATIENCE, async {
        let mut end = frame::end(Address::found(door)?.connect().await?);
        frame::say(&mut end, &Brought { link: link.to_string() }).await?;
        frame::next::<Answer>(&mut end).await
    });
    match exchanged.await.ok().flatten() {
        Some(Answer::Shown) => Followed::Shown,
        Some(Answer::Refused(error)) => Followed::Refused(error),
        None => Followed::Nobody,
    }
}

/// Lets links in until it is dropped. While another window of this user has the door, waits until that one is gone.
pub(crate) async fn keep<F>(door: PathBuf, show: impl Fn(Link) -> F)
where
    F: Future<Output = Result<(), AppError>>,
{
    loop {
        let is_taken = match Address::found(&door) {
            Some(address) => address.connect().await.is_some(),
            None => false,
        };
        if !is_taken && let Err(error) = admit(&door, &show).await {
            tracing::warn!(%error, "Links cannot be brought to this window.");
        }
        sleep(AGAIN).await;
    }
}

/// Takes the socket away with the window.
struct Own(Address);

impl Drop for Own {
    fn drop(&mut self) {
        self.0.take_away();
    }
}

/// Lets one caller in after the other: a person follows one link at a time.
async fn admit<F>(door: &Path, show: impl Fn(Link) -> F) -> std::io::Result<()>
where
    F: Future<Output = Result<(), AppError>>,
{
    let own = Own(Address::to_listen(door)?);
    let listener = own.0.listen()?;
    loop {
        let stream = listener.accept().await?;
        if !is_own(&stream) {
            continue;
        }
        let mut end = frame::end(stream);
        // Somebody who only looks whether the door is taken says nothing.
        let heard = timeout(PATIENCE, frame::next::<Brought>(&mut end)).await.ok().flatten();
        let Some(Brought { link }) = heard else { continue };
        let link =
            link.parse().map_err(|error: BadLink| AppError::new(ErrorKind::InvalidInput, error.to_string()));
        let shown = match link {
            Ok(link) => show(link).await,
            Err(error) => Err(error),
        };
        let answer = shown.map_or_else(Answer::Refused, |()| Answer::Shown);
        // A caller that is gone has its page all the same.
        let _ = timeout(PATIENCE, frame::say(&mut end, &answer)).await;
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::*;

    fn link(text: &str) -> Link {
        text.parse().unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_link_goes_to_the_window_that_runs_and_its_refusal_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let door = folder.path().join("window");
        assert!(matches!(follow(&door, &link("liftdeck://live/fleets")).await, Followed::Nobody));

        let shown = Arc::<Mutex<Vec<String>>>::default();
        let into = Arc::clone(&shown);
        let window = tokio::spawn(keep(door.clone(), move |link: Link| {
            let into = Arc::clone(&into);
            async move {
                if link.place == "nowhere" {
                    return Err(AppError::new(ErrorKind::NotFound, "No connection here is nowhere."));
                }
                into.lock().push(link.route());
                Ok(())
            }
        }));
        let first = link("liftdeck://live/fleets");
        loop {
            match follow(&door, &first).await {
                Followed::Shown => break,
                // It is not yet there.
                Followed::Nobody => tokio::task::yield_now().await,
                Followed::Refused(error) => panic!("{error}"),
            }
        }
        assert_eq!(*shown.lock(), ["#/fleets"]);
        let Followed::Refused(error) = follow(&door, &link("liftdeck://nowhere/fleets")).await else {
            panic!("it is refused")
        };
        assert_eq!(&*error.message, "No connection here is nowhere.");

        window.abort();
        assert!(window.await.unwrap_err().is_cancelled());
        assert!(!door.with_extension("sock").exists(), "the socket goes with the window");
        assert!(matches!(follow(&door, &first).await, Followed::Nobody));
    }
}
