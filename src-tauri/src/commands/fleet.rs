//! Fleets.

use tauri::State;

use crate::state::Deck;
use crate::wire::error::AppError;
use crate::wire::fleet::{FleetDetail, FleetEventPage, FleetList, InstanceList};
use crate::wire::scaling::FleetScaling;
use crate::wire::window::{Page, Range};

/// All fleets.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_list(deck: State<'_, Deck>, range: Range) -> Result<FleetList, AppError> {
    let _ = (deck, range);
    Err(AppError::no_connection())
}

/// One fleet.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_get(deck: State<'_, Deck>, fleet_id: String) -> Result<FleetDetail, AppError> {
    let _ = (deck, fleet_id);
    Err(AppError::no_connection())
}

/// The computes of a fleet.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_instances(deck: State<'_, Deck>, fleet_id: String) -> Result<InstanceList, AppError> {
    let _ = (deck, fleet_id);
    Err(AppError::no_connection())
}

/// The events of a fleet, newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_events(deck: State<'_, Deck>, fleet_id: String, range: Option<Range>, page: Page) -> Result<FleetEventPage, AppError> {
    let _ = (deck, fleet_id, range, page);
    Err(AppError::no_connection())
}

/// How a fleet scaled.
#[tauri::command]
#[specta::specta]
pub(crate) async fn fleet_scaling(deck: State<'_, Deck>, fleet_id: String, range: Range) -> Result<FleetScaling, AppError> {
    let _ = (deck, fleet_id, range);
    Err(AppError::no_connection())
}
