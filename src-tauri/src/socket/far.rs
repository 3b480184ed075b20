//! The terminal at the other end, as a command sees it.
//!
//! Owns what waits to be said there and what comes back. Deliberately never waits for the caller to read.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, watch};

use super::frame::{Errand, Told};

/// The caller's terminal.
pub(crate) struct Far {
    told: mpsc::UnboundedSender<Told>,
    answers: Mutex<mpsc::UnboundedReceiver<Option<String>>>,
    interrupts: Arc<watch::Sender<bool>>,
    lines: Vec<String>,
    is_person_there: bool,
}

/// What the socket hands to the terminal.
pub(super) struct Ends {
    pub(super) say: mpsc::UnboundedSender<Told>,
    pub(super) answers: mpsc::UnboundedSender<Option<String>>,
    interrupts: Arc<watch::Sender<bool>>,
}

impl Far {
    /// The terminal of a caller, what the socket hands to it, and what it has to say.
    pub(super) fn of(errand: &Errand) -> (Self, Ends, mpsc::UnboundedReceiver<Told>) {
        let (say, told) = mpsc::unbounded_channel();
        let (answers, answered) = mpsc::unbounded_channel();
        let interrupts = Arc::new(watch::channel(false).0);
        let far = Self {
            told: say.clone(),
            answers: Mutex::new(answered),
            interrupts: Arc::clone(&interrupts),
            lines: errand.lines.clone(),
            is_person_there: errand.is_person_there,
        };
        (far, Ends { say, answers, interrupts }, told)
    }

    /// One line for the caller's stderr.
    pub(crate) fn say(&self, message: &str) {
        self.tell(Told::Err { text: message.to_owned() });
    }

    /// Text for the caller's stdout.
    pub(crate) fn answer(&self, text: &str) {
        self.tell(Told::Out { text: text.to_owned() });
    }

    /// Whether somebody there can be asked.
    pub(crate) fn is_person_there(&self) -> bool {
        self.is_person_there
    }

    /// What the caller read of its standard input.
    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Asks there; `None` when nobody answers any more.
    pub(crate) async fn ask(&self, question: &str) -> Option<String> {
        let mut answers = self.answers.lock().await;
        self.tell(Told::Ask { question: question.to_owned() });
        answers.recv().await.flatten()
    }

    /// Listens from now on; what is given ends when a person there asks to stop.
    pub(crate) fn interrupted(&self) -> impl Future<Output = ()> + Send {
        let mut interrupts = self.interrupts.subscribe();
        async move {
            // The sender lives as long as this does.
            let _ = interrupts.wait_for(|asked| *asked).await;
        }
    }

    /// What is said to a caller who is gone is lost, as on a closed pipe.
    fn tell(&self, told: Told) {
        let _ = self.told.send(told);
    }
}

impl Ends {
    /// Passes on that a person asks to stop; `false` when the command has no good way to stop here.
    pub(super) fn interrupt(&self) -> bool {
        let is_heard = self.interrupts.receiver_count() > 0;
        if is_heard {
            self.interrupts.send_replace(true);
        }
        is_heard
    }
}
