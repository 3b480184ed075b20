//! The terminal at the other end of the socket, as a command sees it.
//!
//! Owns the queue of output for it and the answers that come back. Deliberately never waits for the caller to read.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, watch};

use super::frame::{HandedCommand, HostFrame};

/// The caller's terminal.
pub(crate) struct RemoteTerminal {
    told: mpsc::UnboundedSender<HostFrame>,
    answers: Mutex<mpsc::UnboundedReceiver<Option<String>>>,
    interrupts: Arc<watch::Sender<bool>>,
    lines: Vec<String>,
    is_person_there: bool,
}

/// The socket's ends of the channels to and from the terminal.
pub(super) struct Ends {
    pub(super) say: mpsc::UnboundedSender<HostFrame>,
    pub(super) answers: mpsc::UnboundedSender<Option<String>>,
    interrupts: Arc<watch::Sender<bool>>,
}

impl RemoteTerminal {
    /// Creates a caller's terminal, the socket's ends of its channels, and the receiver of its output.
    pub(super) fn of(handed: &HandedCommand) -> (Self, Ends, mpsc::UnboundedReceiver<HostFrame>) {
        let (say, told) = mpsc::unbounded_channel();
        let (answers, answered) = mpsc::unbounded_channel();
        let interrupts = Arc::new(watch::channel(false).0);
        let remote_terminal = Self {
            told: say.clone(),
            answers: Mutex::new(answered),
            interrupts: Arc::clone(&interrupts),
            lines: handed.lines.clone(),
            is_person_there: handed.is_person_there,
        };
        (remote_terminal, Ends { say, answers, interrupts }, told)
    }

    /// Sends one line to the caller's stderr.
    pub(crate) fn say(&self, message: &str) {
        self.tell(HostFrame::Err { text: message.to_owned() });
    }

    /// Sends text to the caller's stdout.
    pub(crate) fn answer(&self, text: &str) {
        self.tell(HostFrame::Out { text: text.to_owned() });
    }

    /// Whether there is a person at the caller's terminal to ask.
    pub(crate) fn is_person_there(&self) -> bool {
        self.is_person_there
    }

    /// The lines that the caller has read from its standard input.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Asks at the caller's terminal; `None` if nobody answers any more.
    pub(crate) async fn ask(&self, question: &str) -> Option<String> {
        let mut answers = self.answers.lock().await;
        self.tell(HostFrame::Ask { question: question.to_owned() });
        answers.recv().await.flatten()
    }

    /// Starts listening now; the returned future ends when a person there asks to stop.
    pub(crate) fn interrupted(&self) -> impl Future<Output = ()> + Send {
        let mut interrupts = self.interrupts.subscribe();
        async move {
            // This cannot fail: the sender lives as long as the terminal.
            let _ = interrupts.wait_for(|asked| *asked).await;
        }
    }

    /// Sends a frame. It is lost if the caller is gone, as on a closed pipe.
    fn tell(&self, told: HostFrame) {
        let _ = self.told.send(told);
    }
}

impl Ends {
    /// Passes on a person's request to stop; `false` if the command cannot stop in an orderly way at this point.
    pub(super) fn interrupt(&self) -> bool {
        let is_heard = self.interrupts.receiver_count() > 0;
        if is_heard {
            self.interrupts.send_replace(true);
        }
        is_heard
    }
}
