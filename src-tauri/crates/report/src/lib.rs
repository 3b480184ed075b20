//! An incident as a file of its own: one HTML page that needs nothing beside it, Markdown for a ticket, or JSON.
//!
//! Owns the form of the files. Deliberately reads nothing and judges nothing: the incident and its words come in as
//! arguments. Texts of the world are hostile: both forms escape through a library, and letters that cannot be seen, or
//! that turn the direction of writing, become signs.

mod html;
mod markdown;
mod story;

use liftdeck_charts::ChartError;
use serde::{Deserialize, Serialize};
use specta::Type;
use strum::{EnumString, VariantNames};

pub use self::story::Story;

/// The form of a saved incident.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type, EnumString, VariantNames)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "lowercase")]
pub enum ReportFormat {
    /// One page without scripts, with its charts inside, light and dark.
    Html,
    /// Markdown, for a ticket or a post-mortem.
    Markdown,
    /// The incident, its timeline and the players as data.
    Json,
}

impl ReportFormat {
    /// The extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Markdown => "md",
            Self::Json => "json",
        }
    }
}

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The charts could not be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// The text could not be put together.
    #[error("the file could not be written: {0}")]
    Writing(String),
}

/// Writes an incident in a form.
///
/// # Errors
/// When its charts cannot be drawn.
pub fn write(story: &Story, format: ReportFormat) -> Result<Vec<u8>, ReportError> {
    match format {
        ReportFormat::Html => Ok(html::page(story)?.into_bytes()),
        ReportFormat::Markdown => Ok(markdown::text(story)?.into_bytes()),
        ReportFormat::Json => {
            serde_json::to_vec_pretty(story).map_err(|error| ReportError::Writing(error.to_string()))
        }
    }
}

#[cfg(test)]
mod tests;
