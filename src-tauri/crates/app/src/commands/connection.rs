//! Connections and the demo.

use crate::app::App;
use crate::connections;
use liftdeck_api::connection::{ConnectionCheck, ConnectionDraft};
use liftdeck_api::error::AppError;
use liftdeck_api::settings::AppState;
use liftdeck_gateway::{AwsProfile, Gateway, PermissionOutcome};

/// The seed of a demo opened from the window.
const SEED: u64 = 1;

pub(crate) async fn profile_list(_app: &App) -> Result<Vec<AwsProfile>, AppError> {
    Ok(liftdeck_gateway::profiles().await?)
}

pub(crate) async fn connection_check(app: &App, draft: ConnectionDraft) -> Result<ConnectionCheck, AppError> {
    let spec = connections::checked(draft)?.spec(app.settings().budget_share);
    let identity = async {
        let gateway = Box::pin(Gateway::connect(spec)).await?;
        let identity = Box::pin(gateway.prove()).await?;
        Ok::<_, AppError>((gateway, identity))
    };
    let (gateway, identity) = match identity.await {
        Ok(known) => known,
        Err(error) => return Ok(ConnectionCheck::failed(error)),
    };
    let checks = Box::pin(gateway.check()).await;
    Ok(ConnectionCheck {
        account: Some(identity.account),
        caller_arn: Some(identity.arn),
        ok: checks.iter().all(|check| check.outcome == PermissionOutcome::Allowed),
        checks,
        error: None,
    })
}

pub(crate) async fn connection_save(
    app: &App,
    id: Option<String>,
    draft: ConnectionDraft,
) -> Result<AppState, AppError> {
    app.save_connection(id, draft).await?;
    Ok(app.told())
}

pub(crate) async fn connection_open(app: &App, id: String) -> Result<AppState, AppError> {
    let turn = app.turn().await;
    let opened = app.open_connection(&id, turn).await;
    let state = app.told();
    opened.map(|()| state)
}

pub(crate) async fn connection_delete(app: &App, id: String) -> Result<AppState, AppError> {
    app.delete_connection(&id).await?;
    Ok(app.told())
}

pub(crate) async fn connection_import(app: &App, json: String) -> Result<AppState, AppError> {
    app.connections(|connections| connections.import(&json))?;
    Ok(app.told())
}

pub(crate) async fn connection_export(app: &App, id: String) -> Result<String, AppError> {
    app.connections(|connections| connections.export(&id))
}

pub(crate) async fn demo_open(app: &App, scenario: Option<String>) -> Result<AppState, AppError> {
    let turn = app.turn().await;
    let opened = app.open_demo(scenario.as_deref(), SEED, turn).await;
    let state = app.told();
    opened.map(|()| state)
}
