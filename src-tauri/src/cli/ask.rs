//! `liftdeck ask`: sends any reading command of the API, for scripts that want exactly what the screens get.

use clap::Args;
use liftdeck_api::{Answer, Call, Command, Kind};
use serde_json::Value;

use super::look::{ReadConnection, ReadOptions};
use super::{Caller, Failure, Outcome};

const MANUAL: &str = "\
COMMANDS.md in src-tauri lists the commands with their arguments. Those that read are answered; arguments are named as
the window names them, times are milliseconds since 1970.

Example:
  liftdeck ask fleet_get '{\"fleetId\": \"fleet-…\"}' --connection Live | jq .row.players";

/// The question to ask.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Ask {
    /// Command, such as `fleet_list`
    command: String,
    /// Its arguments: a JSON object
    arguments: Option<String>,
    #[command(flatten)]
    options: ReadOptions,
}

pub(super) async fn run(caller: &Caller, it: Ask) -> Result<Outcome, Failure> {
    let Some(command) = Command::named(&it.command) else {
        return Err(Failure::usage(format!("There is no command `{}`.", it.command)));
    };
    if command.kind != Kind::Read {
        return Err(Failure::usage(format!(
            "`{}` makes changes, and `ask` only reads. Changes have commands of their own: liftdeck --help.",
            it.command
        )));
    }
    let arguments = match &it.arguments {
        None => Value::Null,
        Some(text) => serde_json::from_str(text)
            .map_err(|error| Failure::usage(format!("The arguments are not JSON: {error}.")))?,
    };
    let look = ReadConnection::open(caller, &it.options).await?;
    let answer = look.answer(Call { name: it.command, arguments }).await;
    look.close().await;
    match answer? {
        Answer::Json(text) => {
            let value: Value = serde_json::from_str(&text)
                .map_err(|error| Failure::new(format!("The answer cannot be read: {error}.")))?;
            caller.terminal.answer_json(&value)?;
        }
        Answer::Bytes(bytes) => {
            // The bytes are columns of numbers for the charts.
            let numbers: Vec<Option<f64>> = bytes
                .as_chunks::<8>()
                .0
                .iter()
                .map(|bytes| Some(f64::from_le_bytes(*bytes)).filter(|number| number.is_finite()))
                .collect();
            caller.terminal.answer_json_line(&numbers)?;
        }
        Answer::File { .. } => return Err(Failure::new("The answer is a file.")),
    }
    Ok(Outcome::Done)
}
