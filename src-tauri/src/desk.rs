//! The desk of a program that has a database open: commands that want to change something there come to it, run in this
//! process, through the one store and beside its guard, and speak at the terminal they came from.
//!
//! Owns who is let in and for how long. It listens on loopback alone; `<database>.desk`, which only this user can read,
//! says where and holds the token a caller has to show. What goes over the line is arguments, lines of output, questions
//! and an exit code. Deliberately knows no command.

mod call;
mod far;
mod frame;
mod lent;
mod note;
mod serve;

use std::path::Path;
use std::sync::Arc;

use liftdeck_model::watch::{Down, Roll};
use liftdeck_operations::Guard;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(crate) use call::{Handed, hand_over};
pub(crate) use far::Far;
pub(crate) use frame::Errand;
pub(crate) use lent::Lent;

use note::Note;
use serve::Door;

/// Callers at once, those who have not shown their token yet included; nobody types more.
const CALLERS: usize = 16;

/// An open desk. It is closed before what it lends is.
pub(crate) struct Desk {
    note: Note,
    lent: Arc<Lent>,
    /// Nobody is let in any more.
    shut: CancellationToken,
    /// Who is inside has to leave.
    closing: CancellationToken,
    tasks: TaskTracker,
    roll: Roll,
}

impl Desk {
    /// Opens a desk that lends this.
    ///
    /// # Errors
    /// When this computer has no loopback to listen on, or the file beside the database cannot be written.
    pub(crate) async fn open(lent: Arc<Lent>) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let note = Note::leave(&lent.database, listener.local_addr()?.port())?;
        let (shut, closing, tasks) = (CancellationToken::new(), CancellationToken::new(), TaskTracker::new());
        let door = Door { token: note.token().to_owned(), lent: Arc::clone(&lent), closing: closing.clone() };
        let roll = Roll::new(Arc::clone(&lent.clock), |pause| Box::pin(tokio::time::sleep(pause)));
        let (kept, until, inside) = (roll.clone(), shut.clone(), tasks.clone());
        let (listener, door) = (Arc::new(listener), Arc::new(door));
        tasks.spawn(async move {
            let begin = || admit(Arc::clone(&listener), Arc::clone(&door), until.clone(), inside.clone());
            kept.keep("The desk where commands come in", || until.clone().cancelled_owned(), begin).await;
        });
        Ok(Self { note, lent, shut, closing, tasks, roll })
    }

    /// Opens a desk, or does without: what has the database open works all the same.
    pub(crate) async fn open_or_not(lent: Arc<Lent>) -> Option<Self> {
        let database = lent.database.clone();
        Self::open(lent).await.inspect_err(|error| not_open(&database, error)).ok()
    }

    /// What of it is not running.
    pub(crate) fn down(&self) -> Vec<Down> {
        let lent = self.lent.guard.get().filter(|_| !self.lent.is_guard_lent).map(Guard::down);
        self.roll.down().into_iter().chain(lent.unwrap_or_default()).collect()
    }

    /// Lets nobody in any more, and waits for those inside to be done.
    pub(crate) async fn finish(&self) {
        self.note.take_away();
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

fn not_open(database: &Path, error: &std::io::Error) {
    tracing::warn!(%error, database = %database.display(), "Commands cannot be taken while this database is open here.");
}

/// Lets callers in until the desk is shut.
async fn admit(listener: Arc<TcpListener>, door: Arc<Door>, shut: CancellationToken, tasks: TaskTracker) {
    let seats = Arc::new(Semaphore::new(CALLERS));
    loop {
        let came = tokio::select! {
            came = listener.accept() => came,
            () = shut.cancelled() => return,
        };
        match came {
            // With every seat taken the connection is dropped: the caller is told that the database is in use.
            Ok((stream, _)) => {
                if let Ok(seat) = Arc::clone(&seats).try_acquire_owned() {
                    let door = Arc::clone(&door);
                    tasks.spawn(async move {
                        Box::pin(serve::serve(stream, &door)).await;
                        drop(seat);
                    });
                }
            }
            Err(error) => {
                tracing::debug!(%error, "A caller did not get in.");
                // Out of file descriptors, it would come back at once and for ever.
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            }
        }
    }
}
