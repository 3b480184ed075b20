//! Requests from the system to stop: SIGINT or SIGTERM on Unix, Ctrl-C on Windows.

use std::io;

use tokio_util::sync::CancellationToken;

/// The signals that ask the process to stop, received from the moment this is created. None is lost between two calls
/// of [`Self::asked`], and none ends the process by itself any more.
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
    /// Starts listening. Call it before starting anything that needs an orderly shutdown.
    ///
    /// # Errors
    /// When the system does not let this process receive signals.
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

    /// Waits until the process is asked to stop. Each request ends one call.
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

/// Starts listening now; the returned future ends when the process is asked to stop.
///
/// # Errors
/// When the system does not let this process receive signals.
pub(crate) fn asked() -> io::Result<impl Future<Output = ()> + Send> {
    let mut signals = Signals::listen()?;
    Ok(async move { signals.asked().await })
}

/// Starts listening now and returns a token that is cancelled when the process is asked to stop.
///
/// # Errors
/// When the system does not let this process receive signals.
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
