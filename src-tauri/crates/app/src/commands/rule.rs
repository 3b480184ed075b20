//! The rules that alerts come from, and what a person sets about them.

use liftdeck_api::error::AppError;
use liftdeck_api::rule::{CustomRuleDraft, CustomRuleTrial, RuleTrial};
use liftdeck_insight::custom::CustomTried;
use liftdeck_insight::{RuleListed, RuleTried};
use liftdeck_model::alert_rule::{RuleScope, RuleSetting};
use liftdeck_store::Reader;

use crate::app::App;
use crate::custom_rules::{put_rule, remove_rule, try_rule};
use crate::rules::{put_setting, reset_setting, try_setting};

pub(crate) async fn rule_list(app: &App) -> Result<Vec<RuleListed>, AppError> {
    listed(app, &app.connection()?.reader).await
}

pub(crate) async fn rule_try(app: &App, trial: RuleTrial) -> Result<RuleTried, AppError> {
    try_setting(&app.connection()?.reader, &trial, app.now()).await
}

pub(crate) async fn rule_put(app: &App, setting: RuleSetting) -> Result<Vec<RuleListed>, AppError> {
    let open = app.connection()?;
    put_setting(&open.writer().await?, setting, app.now()).await?;
    listed(app, &open.reader).await
}

pub(crate) async fn rule_reset(
    app: &App,
    rule: String,
    scope: RuleScope,
) -> Result<Vec<RuleListed>, AppError> {
    let open = app.connection()?;
    reset_setting(&open.reader, &open.writer().await?, &rule, scope).await?;
    listed(app, &open.reader).await
}

pub(crate) async fn custom_rule_try(app: &App, trial: CustomRuleTrial) -> Result<CustomTried, AppError> {
    try_rule(&app.connection()?.reader, &trial, app.now()).await
}

pub(crate) async fn custom_rule_put(app: &App, draft: CustomRuleDraft) -> Result<Vec<RuleListed>, AppError> {
    let open = app.connection()?;
    put_rule(&open.reader, &open.writer().await?, draft, app.now()).await?;
    listed(app, &open.reader).await
}

pub(crate) async fn custom_rule_remove(app: &App, name: String) -> Result<Vec<RuleListed>, AppError> {
    let open = app.connection()?;
    remove_rule(&open.reader, &open.writer().await?, &name).await?;
    listed(app, &open.reader).await
}

async fn listed(app: &App, reader: &Reader) -> Result<Vec<RuleListed>, AppError> {
    Ok(liftdeck_insight::rule_list(reader, app.now()).await?)
}
