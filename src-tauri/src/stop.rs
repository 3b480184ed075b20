//! Being asked to stop by the system: SIGINT or SIGTERM, Ctrl-C elsewhere.

use std::io;

use tokio_util::sync::CancellationToken;

/// The signals that ask the process to stop, heard from the moment this was made: none that comes between two looks is
/// lost, and none ends the process on its own any more.
#[derive(Debug)]
pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl Signals {
    /// Begins to listen. Call it before the first thing that has to be ended in good order.
    ///
    /// # Errors
    /// When the system does not let this process hear signals.
    pub(crate) fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self {
                terminate: signal(SignalKind::terminate())?,
                interrupt: signal(SignalKind::interrupt())?,
            })
        }
        #[cfg(windows)]
        {
            Ok(Self { interrupt: tokio::signal::windows::ctrl_c()? })
        }
    }

    /// Comes back when the process was asked to stop, once each time it was.
    pub(crate) async fn asked(&mut self) {
        #[cfg(unix)]
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
        #[cfg(windows)]
        self.interrupt.recv().await;
    }
}

/// Listens from now on; what comes back ends when the process is asked to stop.
///
/// # Errors
/// When the system does not let this process hear signals.
pub(crate) fn asked() -> io::Result<impl Future<Output = ()> + Send> {
    let mut signals = Signals::listen()?;
    Ok(async move { signals.asked().await })
}

/// A token that is cancelled when the process is asked to stop, from now on.
///
/// # Errors
/// When the system does not let this process hear signals.
pub(crate) fn token() -> io::Result<CancellationToken> {
    let asked = asked()?;
    let token = CancellationToken::new();
    let cancelled = token.clone();
    tokio::spawn(async move {
        asked.await;
        cancelled.cancel();
    });
    Ok(token)
}
