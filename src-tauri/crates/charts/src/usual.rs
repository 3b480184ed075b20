//! What is usual at each hour, as bands behind the lines.

use liftdeck_insight::usual::chart::usual_series;
use liftdeck_insight::usual::past::Memory;
use liftdeck_model::Timestamp;
use liftdeck_store::reader::series::{Band, BandedTable, SeriesRequest};
use liftdeck_store::{Reader, StoreError};

/// The moments at which what is usual is told, and for each figure of the request its band; `None` where nothing of it
/// is known.
pub(crate) async fn usual(
    reader: &Reader,
    request: &SeriesRequest,
    now: Timestamp,
) -> Result<(Vec<Timestamp>, impl Iterator<Item = Option<Band>>), StoreError> {
    let BandedTable { table, bands } = usual_series(reader, &Memory::default(), request, now).await?;
    let is_known = |band: &Band| band.high.iter().any(|value| !value.is_nan());
    Ok((table.times, bands.into_iter().map(move |band| band.filter(is_known))))
}
