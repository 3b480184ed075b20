//! `liftdeck script`: Realtime scripts.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use liftdeck_model::action::{Action, Request, UpdateScript};

use super::names::Noun;
use super::operate::{ChangeOptions, make};
use super::show::ReadCommand;
use super::{Caller, Failure, Outcome, content};

/// The subcommands of `liftdeck script`.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List Realtime scripts and the fleets that run them
    List(ReadCommand<content::Scripts>),
    /// Upload new files from a zip; new game sessions use them
    Upload(Upload),
}

/// New files of a script. `--version` is the script's here, not the program's.
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
pub(super) struct Upload {
    #[command(flatten)]
    options: ChangeOptions,
    /// Name, id or ARN
    #[arg(value_name = "SCRIPT", add = super::complete::of(Noun::Script))]
    script: String,
    /// The zip, 5 000 000 bytes at most, with the script at its top level
    #[arg(value_name = "FILE")]
    zip: PathBuf,
    /// Version, a label of your own
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
    /// New name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

pub(super) async fn run(caller: &Caller, command: Command) -> Result<Outcome, Failure> {
    let it = match command {
        Command::List(it) => return it.show(caller).await,
        Command::Upload(it) => it,
    };
    let archive = liftdeck_operations::inspect(&caller.path(&it.zip))
        .map_err(|error| Failure::usage(format!("{} cannot be read: {error}.", it.zip.display())))?;
    let Some(zip) = archive.file else {
        return Err(Failure::usage(format!("{}: {}", it.zip.display(), archive.problems.join(" "))));
    };
    let chosen = it.options.connection.named(caller).await?;
    let (region, id) = chosen.meant(Noun::Script, &it.script)?;
    let request = UpdateScript {
        script_id: id.into(),
        name: it.name.clone(),
        version: it.version.clone(),
        zip_file: Some(zip),
    };
    let action = Action { region, request: Request::UpdateScript(request) };
    Box::pin(make(caller, &it.options, chosen, vec![action])).await
}
