//! The socket of a program that has a database open: other processes of this user ask through it what any host may ask.
//! Commands that want to change something come in through it too, run in this process, through the one store and beside its
//! guard, and speak at the terminal they came from.
//!
//! Owns who is let in and for how long. Deliberately knows no command.

mod address;
mod call;
mod far;
mod frame;
mod remote;
mod serve;

use std::path::Path;
use std::sync::{Arc, Weak};

use futures::future::BoxFuture;
use interprocess::local_socket::tokio::Listener;
use interprocess::local_socket::traits::tokio::Listener as _;
use liftdeck_app::App;
use liftdeck_app::door::{Door, OpenDoor};
use liftdeck_app::lent::Lent;
use liftdeck_model::watch::{Down, Roll};
use liftdeck_operations::Guard;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(crate) use call::{Handed, hand_over};
pub(crate) use far::Far;
pub(crate) use frame::Errand;
pub(crate) use remote::Remote;

use address::Address;
use serve::Open;

/// Callers at once; nobody types more.
const CALLERS: usize = 16;

/// An open socket. It is closed before what it lends is.
pub(crate) struct Socket {
    address: Address,
    lent: Arc<Lent>,
    /// Nobody is let in any more.
    shut: CancellationToken,
    /// Who is inside has to leave.
    closing: CancellationToken,
    tasks: TaskTracker,
    roll: Roll,
}

impl Socket {
    /// Opens a socket that lends this, and passes questions on.
    ///
    /// # Errors
    /// When the system makes no socket beside the database.
    pub(crate) fn open(lent: Arc<Lent>, app: Weak<App>) -> std::io::Result<Self> {
        let address = Address::to_listen(&lent.database)?;
        let listener = address.listen()?;
        let (shut, closing, tasks) = (CancellationToken::new(), CancellationToken::new(), TaskTracker::new());
        let open = Open { app, lent: Arc::clone(&lent), closing: closing.clone() };
        let roll = Roll::new(Arc::clone(&lent.clock), |pause| Box::pin(tokio::time::sleep(pause)));
        let (kept, until, inside) = (roll.clone(), shut.clone(), tasks.clone());
        let (listener, open) = (Arc::new(listener), Arc::new(open));
        tasks.spawn(async move {
            let begin = || admit(Arc::clone(&listener), Arc::clone(&open), until.clone(), inside.clone());
            kept.keep("The socket where commands come in", || until.clone().cancelled_owned(), begin).await;
        });
        Ok(Self { address, lent, shut, closing, tasks, roll })
    }

    /// Opens a socket, or does without: what has the database open works all the same.
    pub(crate) fn open_or_not(lent: Arc<Lent>, app: Weak<App>) -> Option<Self> {
        let database = lent.database.clone();
        Self::open(lent, app).inspect_err(|error| not_open(&database, error)).ok()
    }

    /// What of it is not running.
    pub(crate) fn down(&self) -> Vec<Down> {
        let lent = self.lent.guard.get().filter(|_| !self.lent.is_guard_lent).map(Guard::down);
        self.roll.down().into_iter().chain(lent.unwrap_or_default()).collect()
    }

    /// Lets nobody in any more, and waits for those inside to be done.
    pub(crate) async fn finish(&self) {
        self.address.take_away();
        self.shut.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Lets nobody in any more, and tells those inside that it ends here: what they sent is answered and recorded.
    pub(crate) async fn close(self) {
        self.closing.cancel();
        self.finish().await;
        self.lent.give_up().await;
    }
}

/// How a socket is opened for the connection that is open.
pub(crate) fn opener() -> OpenDoor {
    Arc::new(|lent, app| Socket::open_or_not(lent, app).map(|socket| -> Box<dyn Door> { Box::new(socket) }))
}

impl Door for Socket {
    fn down(&self) -> Vec<Down> {
        Self::down(self)
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(Self::close(*self))
    }
}

fn not_open(database: &Path, error: &std::io::Error) {
    tracing::warn!(%error, database = %database.display(), "Commands cannot be taken while this database is open here.");
}

/// Lets callers in until the socket is shut.
async fn admit(listener: Arc<Listener>, open: Arc<Open>, shut: CancellationToken, tasks: TaskTracker) {
    let seats = Arc::new(Semaphore::new(CALLERS));
    loop {
        let came = tokio::select! {
            came = listener.accept() => came,
            () = shut.cancelled() => return,
        };
        match came {
            // With every seat taken the connection is dropped: the caller is told that the database is in use.
            Ok(stream) => {
                if let (true, Ok(seat)) = (address::is_own(&stream), Arc::clone(&seats).try_acquire_owned()) {
                    let open = Arc::clone(&open);
                    tasks.spawn(async move {
                        Box::pin(serve::serve(stream, &open)).await;
                        drop(seat);
                    });
                }
            }
            Err(error) => {
                tracing::info!(%error, "A caller did not get in.");
                // Out of file descriptors, it would come back at once and for ever.
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        }
    }
}
