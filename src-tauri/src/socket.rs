//! The socket of a program that has a database open. Other processes of this user use it to ask what any host may
//! ask. Commands that change something come in through it too: they run in this process, with its store and with a
//! guard beside its own, and use the terminal they came from.
//!
//! Owns who is let in and for how long. Deliberately knows no command.

mod address;
mod call;
#[cfg(feature = "window")]
pub(crate) mod door;
mod frame;
mod remote;
mod remote_terminal;
mod serve;

use std::path::Path;
use std::sync::{Arc, Weak};

use futures::future::BoxFuture;
use interprocess::local_socket::tokio::Listener;
use interprocess::local_socket::traits::tokio::Listener as _;
use liftdeck_app::App;
use liftdeck_app::command_socket::{CommandSocket, OpenCommandSocket};
use liftdeck_app::shared::SharedConnection;
use liftdeck_model::watch::{Down, Roll};
use liftdeck_operations::Guard;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(crate) use call::{Handed, hand_over};
pub(crate) use frame::HandedCommand;
pub(crate) use remote::Remote;
pub(crate) use remote_terminal::RemoteTerminal;

use address::Address;
use serve::Open;

/// The most callers at one time: nobody types more commands at once.
const CALLERS: usize = 16;

/// An open socket. It is closed before what it lends is closed.
pub(crate) struct Socket {
    address: Address,
    shared: Arc<SharedConnection>,
    /// Cancelled when no new callers are let in.
    shut: CancellationToken,
    /// Cancelled when the current callers have to leave.
    closing: CancellationToken,
    tasks: TaskTracker,
    roll: Roll,
}

impl Socket {
    /// Opens a socket that lends what is open, and passes questions on to `app`.
    ///
    /// # Errors
    /// When the system cannot create the socket.
    pub(crate) fn open(shared: Arc<SharedConnection>, app: Weak<App>) -> std::io::Result<Self> {
        let address = Address::to_listen(&shared.database)?;
        let listener = address.listen()?;
        let (shut, closing, tasks) = (CancellationToken::new(), CancellationToken::new(), TaskTracker::new());
        let open = Open { app, shared: Arc::clone(&shared), closing: closing.clone() };
        let roll = Roll::new(Arc::clone(&shared.clock), |pause| Box::pin(tokio::time::sleep(pause)));
        let (kept, until, inside) = (roll.clone(), shut.clone(), tasks.clone());
        let (listener, open) = (Arc::new(listener), Arc::new(open));
        tasks.spawn(async move {
            let begin = || admit(Arc::clone(&listener), Arc::clone(&open), until.clone(), inside.clone());
            kept.keep("The command socket", || until.clone().cancelled_owned(), begin).await;
        });
        Ok(Self { address, shared, shut, closing, tasks, roll })
    }

    /// Opens a socket, or logs why it cannot: the program works without one too.
    pub(crate) fn open_or_not(shared: Arc<SharedConnection>, app: Weak<App>) -> Option<Self> {
        let database = shared.database.clone();
        Self::open(shared, app).inspect_err(|error| not_open(&database, error)).ok()
    }

    /// Whether a program that has this database open takes commands.
    pub(crate) async fn is_answered(database: &Path) -> bool {
        match Address::found(database) {
            Some(address) => address.connect().await.is_some(),
            None => false,
        }
    }

    /// Tasks of the socket, and of its own guard, that are not running.
    pub(crate) fn down(&self) -> Vec<Down> {
        let shared = self.shared.guard.get().filter(|_| !self.shared.is_guard_shared).map(Guard::down);
        self.roll.down().into_iter().chain(shared.unwrap_or_default()).collect()
    }

    /// Lets no new callers in, and waits until the current ones are done.
    pub(crate) async fn finish(&self) {
        self.address.take_away();
        self.shut.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Lets no new callers in, and tells the current ones that the program closes. What they sent is answered and
    /// recorded.
    pub(crate) async fn close(self) {
        self.closing.cancel();
        self.finish().await;
        self.shared.give_up().await;
    }
}

/// Returns the function that opens a socket for the open connection.
pub(crate) fn opener() -> OpenCommandSocket {
    Arc::new(|shared, app| {
        Socket::open_or_not(shared, app).map(|socket| -> Box<dyn CommandSocket> { Box::new(socket) })
    })
}

impl CommandSocket for Socket {
    fn down(&self) -> Vec<Down> {
        Self::down(self)
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        Box::pin(Self::close(*self))
    }
}

fn not_open(database: &Path, error: &std::io::Error) {
    tracing::warn!(%error, database = %database.display(), "Other processes cannot send commands while this \
        database is open here.");
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
            // If every seat is taken the connection is dropped, and the caller reports that the database is in use.
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
                tracing::info!(%error, "A connection to the command socket failed.");
                // Without free file descriptors, `accept` would fail again at once and for ever.
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        }
    }
}
