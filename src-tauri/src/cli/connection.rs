//! `liftdeck connection`: saved connections, checked as the window checks them.

mod edit;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use liftdeck_api::connection::{ConnectionCheck, ConnectionDraft, ConnectionSummary};
use liftdeck_api::settings::AppState;
use liftdeck_app::{App, AppOptions, clock, command_socket};
use liftdeck_gateway::{PermissionCheck, PermissionOutcome};
use liftdeck_model::{Environment, Region};
use serde_json::json;

use super::collect::{event_queue, region, web_address};
use super::look::ask;
use super::operate::by_name;
use super::show::{Column, Form, Sheet, Shown, Table, Tone, at, cell, data, many, number, words};
use super::{Caller, Failure, Outcome};

const ADD: &str = "\
Before it is saved each read is tried once in each Region, as the window does. What AWS denies is shown, and the connection \
is saved only if nothing is denied, or with --anyway. Credentials stay where the AWS profile has them.

Example:
  liftdeck connection add Live --environment production --profile prod --region eu-west-1 us-east-1";

/// The subcommands of `liftdeck connection`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List saved connections
    List(List),
    /// Check what a connection may do and save it
    Add(Add),
    /// Change a saved connection, checked like a new one
    Edit(edit::Edit),
    /// Check what a saved connection may do
    Check(One),
    /// Forget a connection; its database stays
    Remove(Remove),
}

/// The form of the list.
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    form: Form,
}

/// A new connection.
#[derive(Debug, Args)]
#[command(after_help = ADD)]
pub(super) struct Add {
    #[command(flatten)]
    form: Form,
    /// Name
    #[arg(value_name = "NAME")]
    name: String,
    /// How careful to be; for production, names have to be typed to confirm
    #[arg(long, value_name = "ENVIRONMENT", value_parser = environments())]
    environment: Environment,
    /// Home Regions to read
    #[arg(long = "region", required = true, num_args = 1.., value_name = "REGION", value_parser = region)]
    regions: Vec<String>,
    /// Profile of the shared AWS configuration; the usual AWS chain when absent
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// An endpoint other than AWS's own
    #[arg(long, value_name = "URL", value_parser = web_address)]
    endpoint_url: Option<String>,
    /// Event queues of your own, as URL or REGION=URL; adopt them with `liftdeck feed adopt`
    #[arg(long = "event-queue", num_args = 1.., value_name = "URL")]
    event_queues: Vec<String>,
    /// Save it whatever the check says
    #[arg(long)]
    anyway: bool,
}

/// A saved connection.
#[derive(Debug, Args)]
pub(super) struct One {
    #[command(flatten)]
    form: Form,
    /// Name
    #[arg(value_name = "NAME", add = super::complete::connections())]
    name: String,
}

/// A connection to forget.
#[derive(Debug, Args)]
pub(super) struct Remove {
    /// Name
    #[arg(value_name = "NAME", add = super::complete::connections())]
    name: String,
    /// Do not ask; needed when there is nobody to ask
    #[arg(long, short = 'y')]
    yes: bool,
}

/// The environments that a person can name: only the built-in simulator is a demo.
fn environments() -> impl TypedValueParser<Value = Environment> {
    let named = [Environment::Production, Environment::Staging, Environment::Development];
    PossibleValuesParser::new(named.map(Environment::as_str)).map(|word| Environment::from_word(&word))
}

const CONNECTIONS: &[Column<ConnectionSummary>] = &[
    words("name", "NAME").of(|it| cell(&it.name)),
    words("environment", "ENVIRONMENT").of(|it| cell(it.environment.as_str())),
    words("account", "ACCOUNT").rank(2).of(|it| cell(&it.account)),
    words("profile", "PROFILE").rank(1).of(|it| cell(&it.profile)),
    words("regions", "REGIONS").least(12).rank(3).of(|it| many(&it.regions)),
    number("last_opened", "LAST OPENED").rank(4).of(|it| at(it.last_opened)),
    data("id").of(|it| cell(&it.id)),
    data("endpoint_url").of(|it| cell(&it.endpoint_url)),
    data("event_queues").of(|it| many(it.event_queues.iter().map(|queue| &queue.url))),
];

const CHECKS: &[Column<PermissionCheck>] = &[
    words("region", "REGION").of(|it| cell(&it.region)),
    words("action", "ACTION").of(|it| cell(&it.action)),
    words("outcome", "OUTCOME").of(|it| cell(outcome(it.outcome).1)),
    words("feature", "NEEDED FOR").least(16).rank(1).of(|it| cell(&it.feature)),
    words("detail", "DETAIL").least(20).rank(2).of(|it| cell(&it.detail)),
    data("request_id").of(|it| cell(&it.request_id)),
];

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let app = App::new(AppOptions::new(caller.home()?, clock::wall(), command_socket::nobody()))?;
    match command {
        Command::List(it) => list(caller, &it),
        Command::Add(it) => add(caller, &app, it).await,
        Command::Edit(it) => edit::edit(caller, &app, it).await,
        Command::Check(it) => check(caller, &app, &it).await,
        Command::Remove(it) => remove(caller, &app, &it).await,
    }
}

fn list(caller: &Caller, it: &List) -> Result<Outcome, Failure> {
    let connections = caller.connections()?;
    if let Some(doubt) = connections.doubt() {
        return Err(doubt.error().into());
    }
    let table = Table::of(CONNECTIONS, &connections.list());
    it.form.answer(caller, &Shown::whole(table, ("connection", "connections"), None), clock::now())?;
    Ok(Outcome::Done)
}

async fn add(caller: &Caller, app: &App, it: Add) -> Result<Outcome, Failure> {
    let queues = it.event_queues.iter().map(|text| event_queue(text, &it.regions));
    let draft = ConnectionDraft {
        name: it.name.clone(),
        environment: it.environment,
        profile: it.profile.clone(),
        endpoint_url: it.endpoint_url.clone(),
        regions: it.regions.iter().map(Region::new).collect(),
        event_queues: queues.collect::<Result<_, _>>()?,
    };
    save(caller, app, &it.form, None, &draft, it.anyway).await
}

/// Checks a connection that is new or has this id, and saves it if nothing is denied or it is wanted all the same.
async fn save(
    caller: &Caller,
    app: &App,
    form: &Form,
    id: Option<&str>,
    draft: &ConnectionDraft,
    anyway: bool,
) -> Result<Outcome, Failure> {
    let name = &draft.name;
    if caller.connections()?.list().iter().any(|other| other.name == *name && Some(other.id.as_str()) != id) {
        return Err(Failure::usage(format!("A connection is already called {name}.")));
    }
    let checked: ConnectionCheck = ask(app, "connection_check", json!({ "draft": draft })).await?;
    told(caller, form, &checked)?;
    if !checked.ok && !anyway {
        return Err(Failure::new(format!(
            "The connection was not saved: {}. Add --anyway to save it all the same.",
            trouble(&checked)
        )));
    }
    let _: AppState = ask(app, "connection_save", json!({ "id": id, "draft": draft })).await?;
    caller
        .terminal
        .foot(&format!("Saved. Collect with `liftdeck collect --connection '{name}'` or open the window."));
    Ok(Outcome::Done)
}

async fn check(caller: &Caller, app: &App, it: &One) -> Result<Outcome, Failure> {
    let draft = by_name(&caller.connections()?, &it.name)?.described();
    let checked: ConnectionCheck = ask(app, "connection_check", json!({ "draft": draft })).await?;
    told(caller, &it.form, &checked)?;
    match (checked.ok, checked.error) {
        (_, Some(error)) => Err(error.into()),
        (true, None) => Ok(Outcome::Done),
        (false, None) => Ok(Outcome::Partly),
    }
}

/// Prints the check, with the denied reads before the allowed ones.
fn told(caller: &Caller, form: &Form, checked: &ConnectionCheck) -> Result<(), Failure> {
    let mut sheet = Sheet::default();
    sheet.fact("account", "Account", &checked.account);
    sheet.fact("caller_arn", "Caller", &checked.caller_arn);
    sheet.fact("ok", "Everything allowed", checked.ok);
    let mut checks: Vec<&PermissionCheck> = checked.checks.iter().collect();
    checks.sort_by_key(|check| check.outcome == PermissionOutcome::Allowed);
    sheet.part("checks", "Reads", Table::toned(CHECKS, checks, |check| outcome(check.outcome).0));
    form.answer(caller, &Shown::sheet(sheet, None), clock::now())
}

const fn outcome(outcome: PermissionOutcome) -> (Tone, &'static str) {
    match outcome {
        PermissionOutcome::Allowed => (Tone::Plain, "allowed"),
        PermissionOutcome::Denied => (Tone::Bad, "denied"),
        PermissionOutcome::Failed => (Tone::Warning, "failed"),
    }
}

fn trouble(checked: &ConnectionCheck) -> String {
    if let Some(error) = &checked.error {
        return Failure::from(error.clone()).to_string().trim_end_matches('.').to_owned();
    }
    let not = checked.checks.iter().filter(|check| check.outcome != PermissionOutcome::Allowed).count();
    format!("{not} of {} reads are not allowed", checked.checks.len())
}

async fn remove(caller: &Caller, app: &App, it: &Remove) -> Result<Outcome, Failure> {
    let one = by_name(&caller.connections()?, &it.name)?;
    if !it.yes {
        if !caller.terminal.is_person_there() {
            return Err(Failure::refused(
                "Nothing was removed: there is nobody to ask. Add --yes to go ahead.",
            ));
        }
        if !caller.terminal.agrees(&format!("Forget the connection {}?", one.name)).await? {
            return Err(Failure::refused("Nothing was removed."));
        }
    }
    let _: AppState = ask(app, "connection_delete", json!({ "id": one.id })).await?;
    let database = caller.home()?.database_file(&one.id)?;
    if database.exists() {
        caller.terminal.foot(&format!("Removed. Its database stays: {}.", database.display()));
    }
    Ok(Outcome::Done)
}
