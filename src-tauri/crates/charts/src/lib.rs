//! Draws the series shown on the screens as PNG and SVG for reports, and exports them as CSV for everything else.
//!
//! Owns the pictures: lanes over one time axis, marks, legends, colours. Deliberately computes no figure: all come
//! from the store and `liftdeck-insight`. Needs no font on the machine, because it includes its own.

mod axis;
mod error;
mod font;
mod incident;
mod matchmaking;
mod paint;
mod picture;
mod placements;
mod read;
mod scaling;
mod sessions;
mod table;
mod theme;

pub use error::ChartError;
pub use incident::draw_incident;
pub use paint::Format;
pub use theme::Theme;

use liftdeck_model::time::TimeRange;
use liftdeck_model::{FleetId, Timestamp};
use liftdeck_store::Reader;

use picture::Picture;

/// What to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject<'a> {
    /// A fleet's instances, its available game sessions with the policy's target, its load, and its changes.
    Scaling(&'a FleetId),
    /// Game sessions and players, of one fleet or of all.
    Sessions(Option<&'a FleetId>),
    /// Placements by outcome and the depth of queues.
    Placements,
    /// Matchmaking tickets by outcome and their waits.
    Matchmaking,
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
        Subject::Placements => placements::picture(reader, range, now).await,
        Subject::Matchmaking => matchmaking::picture(reader, range, now).await,
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

/// The figures of a chart as CSV: a time column and one column per line. If buckets are wider than the interval
/// between figures, columns for the lowest and highest value follow each line. Gaps are left empty.
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
