//! The figures of a picture, with what is usual for them, from the store.

use liftdeck_insight::usual::chart::usual_series;
use liftdeck_insight::usual::past::Memory;
use liftdeck_model::Timestamp;
use liftdeck_store::reader::series::{Band, SeriesRequest};
use liftdeck_store::{Reader, StoreError};

use crate::picture::Figures;

/// What was read for a picture.
pub(crate) struct Read {
    pub(crate) times: Vec<Timestamp>,
    pub(crate) bucket_ms: i64,
    /// The moments at which the figures tell what is usual.
    pub(crate) usual_times: Vec<Timestamp>,
    /// In the order of the request.
    pub(crate) columns: Vec<Figures>,
}

pub(crate) async fn read(
    reader: &Reader,
    request: &SeriesRequest,
    now: Timestamp,
) -> Result<Read, StoreError> {
    let seen = reader.series_with_bands(request).await?;
    let usual = usual_series(reader, &Memory::default(), request, now).await?;
    let is_known = |band: &Band| band.high.iter().any(|value| !value.is_nan());
    let columns = seen.table.columns.into_iter().zip(seen.bands).zip(usual.bands);
    let columns =
        columns.map(|((values, band), usual)| Figures { values, band, usual: usual.filter(is_known) });
    Ok(Read {
        times: seen.table.times,
        bucket_ms: seen.table.bucket_ms,
        usual_times: usual.table.times,
        columns: columns.collect(),
    })
}
