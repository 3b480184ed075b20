//! `liftdeck script`: Realtime scripts.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use liftdeck_model::action::{Action, Request, UpdateScript};

use super::names::Noun;
use super::operate::{How, make};
use super::show::Looking;
use super::{Caller, Failure, Outcome, content};

/// What to do with a script.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List Realtime scripts and the fleets that run them
    List(Looking<content::Scripts>),
    /// Upload new files from a zip; running fleets take them for new game sessions
    Upload(Upload),
}

/// New files. `--version` is the script's here, not the program's.
#[derive(Debug, Args)]
#[command(disable_version_flag = true)]
pub(super) struct Upload {
    #[command(flatten)]
    how: How,
    /// Name, id or ARN
    #[arg(value_name = "SCRIPT", add = super::complete::of(Noun::Script))]
    script: String,
    /// The zip, 5 000 000 bytes at most, with the script at its top
    #[arg(value_name = "FILE")]
    zip: PathBuf,
    /// Version, a word for people
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
    let place = it.how.place.named(caller).await?;
    let (region, id) = place.meant(Noun::Script, &it.script)?;
    let request = UpdateScript {
        script_id: id.into(),
        name: it.name.clone(),
        version: it.version.clone(),
        zip_file: Some(zip),
    };
    let action = Action { region, request: Request::UpdateScript(request) };
    Box::pin(make(caller, &it.how, place, vec![action])).await
}
