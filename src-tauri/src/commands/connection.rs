//! Connections and the demo.

use liftdeck_simulator::Scenario;
use liftdeck_simulator::scenario::UnknownScenario;
use tauri::{AppHandle, State};

use crate::connections;
use crate::reach::Reach;
use crate::relay;
use crate::state::Deck;
use crate::wire::connection::{
    AwsProfile, ConnectionCheck, ConnectionDraft, PermissionCheck, PermissionOutcome,
};
use crate::wire::error::{AppError, ErrorKind};
use crate::wire::settings::AppState;

/// The seed of the demo opened from the window.
const SEED: u64 = 1;

/// The profiles of the shared AWS configuration.
#[tauri::command]
#[specta::specta]
pub(crate) async fn profile_list() -> Result<Vec<AwsProfile>, AppError> {
    Ok(liftdeck_gateway::profiles().await?.into_iter().map(AwsProfile::from).collect())
}

/// Tries what the connection may do, without saving it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_check(
    deck: State<'_, Deck>,
    draft: ConnectionDraft,
) -> Result<ConnectionCheck, AppError> {
    let draft = connections::checked(draft)?;
    let reach = Reach {
        name: draft.name,
        account: None,
        profile: draft.profile,
        endpoint_url: draft.endpoint_url,
        regions: draft.regions,
        budget_share: deck.settings().budget_share.get(),
    };
    let identity = async {
        let gateway = reach.connect().await?;
        let identity = Box::pin(gateway.prove()).await?;
        Ok::<_, AppError>((gateway, identity))
    };
    let (gateway, identity) = match identity.await {
        Ok(known) => known,
        Err(error) => return Ok(ConnectionCheck::failed(error)),
    };
    let checks: Vec<_> = Box::pin(gateway.check()).await.into_iter().map(PermissionCheck::from).collect();
    Ok(ConnectionCheck {
        account: Some(identity.account.into_string()),
        caller_arn: Some(identity.arn),
        ok: checks.iter().all(|check| check.outcome == PermissionOutcome::Allowed),
        checks,
        error: None,
    })
}

/// Saves a new connection, or the one with this id.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_save(
    app: AppHandle,
    deck: State<'_, Deck>,
    id: Option<String>,
    draft: ConnectionDraft,
) -> Result<AppState, AppError> {
    deck.save_connection(&app, id, draft).await?;
    told(&app, &deck)
}

/// Opens a connection; what was open is closed first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_open(
    app: AppHandle,
    deck: State<'_, Deck>,
    id: String,
) -> Result<AppState, AppError> {
    let turn = deck.turn().await;
    let opened = deck.open(&app, &id, turn).await;
    let state = told(&app, &deck);
    opened.and(state)
}

/// Forgets a connection. Its database stays.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_delete(
    app: AppHandle,
    deck: State<'_, Deck>,
    id: String,
) -> Result<AppState, AppError> {
    deck.delete_connection(&id).await?;
    told(&app, &deck)
}

/// Takes a connection file from a colleague.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_import(
    app: AppHandle,
    deck: State<'_, Deck>,
    json: String,
) -> Result<AppState, AppError> {
    deck.connections(|connections| connections.import(&json))?;
    told(&app, &deck)
}

/// A connection as a file for a colleague; it holds no secret.
#[tauri::command]
#[specta::specta]
pub(crate) async fn connection_export(deck: State<'_, Deck>, id: String) -> Result<String, AppError> {
    deck.connections(|connections| connections.export(&id))
}

/// Opens the built-in demo.
#[tauri::command]
#[specta::specta]
pub(crate) async fn demo_open(
    app: AppHandle,
    deck: State<'_, Deck>,
    scenario: Option<String>,
) -> Result<AppState, AppError> {
    let scenario: Scenario = match scenario {
        Some(name) => name
            .parse()
            .map_err(|error: UnknownScenario| AppError::new(ErrorKind::InvalidInput, format!("{error}.")))?,
        None => Scenario::default(),
    };
    let turn = deck.turn().await;
    let opened = deck.open_demo(&app, scenario, SEED, turn).await;
    let state = told(&app, &deck);
    opened.and(state)
}

fn told(app: &AppHandle, deck: &Deck) -> Result<AppState, AppError> {
    relay::settings_changed(app);
    Ok(deck.app_state())
}
