//! What a message says: text as it was sent, or what its author writes when somebody reads it.
//!
//! Most of what the world announces is received by nobody, so writing it out beforehand would be work and memory for
//! nothing. What is written is the author's matter.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

/// Who can write out what a message says, always the same.
pub(crate) trait Author: Debug + Send + Sync {
    /// What the message says.
    fn write(&self) -> String;
}

/// What a message says.
#[derive(Debug, Clone)]
pub(crate) enum Body {
    /// As it was sent.
    Text(String),
    /// Written when it is read.
    Written(Arc<dyn Author>),
}

impl Body {
    /// What an author will write.
    pub(crate) fn by(author: impl Author + 'static) -> Body {
        Body::Written(Arc::new(author))
    }

    /// What it says.
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
