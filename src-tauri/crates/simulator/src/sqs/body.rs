//! Message bodies: text as it was sent, or text that its author writes when it is read.
//!
//! Most of what the world publishes is never received, so writing it out beforehand would waste work and memory. What
//! is written is up to the author.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

/// Writes a message body on demand, always with the same text.
pub(crate) trait Author: Debug + Send + Sync {
    /// Writes the body.
    fn write(&self) -> String;
}

/// A message body.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// As it was sent.
    Text(String),
    /// Written when it is read.
    Written(Arc<dyn Author>),
}

impl Body {
    /// A body that the author will write.
    pub(crate) fn by(author: impl Author + 'static) -> Body {
        Body::Written(Arc::new(author))
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Body::Text(text) => Cow::Borrowed(text),
            Body::Written(author) => Cow::Owned(author.write()),
        }
    }
}

impl From<&str> for Body {
    fn from(text: &str) -> Body {
        Body::Text(text.to_owned())
    }
}

impl PartialEq for Body {
    fn eq(&self, other: &Body) -> bool {
        self.text() == other.text()
    }
}

impl Eq for Body {}
