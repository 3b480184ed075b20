//! Series of numbers, as raw bytes.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::series::{Columns, SeriesRequest};

/// Raw bytes, a `Float64Array [rows, columns, b1 …, t[rows] (epoch seconds), c1[rows] …, low1[rows], high1[rows] …]`:
/// NaN = gap, b is 1 where a column has a band of the lowest and highest inside each bucket.
#[tauri::command]
#[specta::specta]
pub(crate) async fn series_read(deck: State<'_, Deck>, request: SeriesRequest) -> Result<Columns, AppError> {
    let table = deck.flight()?.reader.series_with_bands(&request.into()).await?;
    Ok(Columns::from(&table))
}
