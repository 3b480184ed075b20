//! Aliases.

use liftdeck_model::activity::ActivityId;
use liftdeck_model::{AliasId, FleetId};
use tauri::State;

use crate::state::Deck;
use crate::wire::alias::AliasRow;
use crate::wire::error::AppError;
use crate::wire::repoint::{RepointComparison, RepointWatch};

/// All aliases of the connection, with the history of where they led.
#[tauri::command]
#[specta::specta]
pub(crate) async fn alias_list(deck: State<'_, Deck>) -> Result<Vec<AliasRow>, AppError> {
    let flight = deck.flight()?;
    let (rows, freshness) = flight.reader.aliases((deck.clock)()).await?;
    let seen: Vec<_> = rows.iter().map(|row| row.history.as_slice()).collect();
    let histories = liftdeck_insight::histories(&flight.reader, &seen).await?;
    let row = |(row, history)| AliasRow::new(row, history, freshness.into());
    Ok(rows.into_iter().zip(histories).map(row).collect())
}

/// The fleet an alias leads to beside the one it would.
#[tauri::command]
#[specta::specta]
pub(crate) async fn repoint_compare(
    deck: State<'_, Deck>,
    alias_id: String,
    fleet_id: String,
) -> Result<RepointComparison, AppError> {
    let guard = deck.flight()?.guard()?;
    let (alias, fleet) = (AliasId::new(alias_id), FleetId::new(fleet_id));
    Ok(Box::pin(guard.compare(&alias, &fleet)).await?.into())
}

/// What happens after a repoint.
#[tauri::command]
#[specta::specta]
pub(crate) async fn repoint_watch(
    deck: State<'_, Deck>,
    activity_id: String,
) -> Result<RepointWatch, AppError> {
    let guard = deck.flight()?.guard()?;
    Ok(guard.repoint_watch(&ActivityId::new(activity_id)).await?.into())
}
