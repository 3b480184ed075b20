//! The series the screens show, drawn as PNG and SVG for reports, and as CSV for everything else.
//!
//! Owns the pictures: lanes over one time axis, marks, legends, colours. Deliberately asks the store and insight for
//! every figure and computes none; needs no font on the machine, for it brings its own.

mod axis;
mod error;
mod font;
mod paint;
mod picture;
mod placements;
mod scaling;
mod sessions;
mod table;
mod theme;

pub use error::ChartError;
pub use paint::Format;
pub use theme::Theme;

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Reader;

use picture::Picture;

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A fleet's instances, available sessions with the policy's target, load, and what changed.
    Scaling(&'a FleetId),
    /// Game sessions and players, of one fleet or of all.
    Sessions(Option<&'a FleetId>),
    /// Placements by outcome and the depth of queues.
    Placements,
}

async fn picture(
    reader: &Reader,
    subject: Subject<'_>,
    range: TimeRange,
    now: Timestamp,
) -> Result<Picture, ChartError> {
    match subject {
        Subject::Scaling(fleet) => scaling::picture(reader, fleet, range, now).await,
        Subject::Sessions(fleet) => sessions::picture(reader, fleet, range, now).await,
        Subject::Placements => placements::picture(reader, range).await,
    }
}

/// Draws a chart and returns the bytes of the file.
///
/// # Errors
/// When the store cannot be read, the fleet is not in it, or drawing fails.
pub async fn draw(
    reader: &Reader,
    subject: Subject<'_>,
    range: TimeRange,
    now: Timestamp,
    format: Format,
    theme: Theme,
) -> Result<Vec<u8>, ChartError> {
    paint::paint(&picture(reader, subject, range, now).await?, format, theme)
}

/// The figures of a chart as CSV: a time column and one for each line, followed by its lowest and highest where buckets
/// are wider than figures come; gaps are left empty.
///
/// # Errors
/// When the store cannot be read or the fleet is not in it.
pub async fn csv(
    reader: &Reader,
    subject: Subject<'_>,
    range: TimeRange,
    now: Timestamp,
) -> Result<Vec<u8>, ChartError> {
    table::csv(&picture(reader, subject, range, now).await?)
}
