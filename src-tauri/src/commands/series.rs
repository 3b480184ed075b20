//! Series of numbers, as raw bytes.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::series::{Columns, SeriesRequest};

/// Raw bytes: `Float64Array [rows, columns, t[rows] (epoch seconds), c1[rows], …]`; NaN = gap.
#[tauri::command]
#[specta::specta]
pub(crate) async fn series_read(deck: State<'_, Deck>, request: SeriesRequest) -> Result<Columns, AppError> {
    let table = deck.flight()?.reader.series(&request.into()).await?;
    Ok(Columns::from(&table))
}
