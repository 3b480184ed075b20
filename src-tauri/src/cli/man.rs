//! `liftdeck man`: manual pages, generated from the definitions of the arguments.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use super::{Caller, Failure, Outcome};

/// Where to write the pages.
#[derive(Debug, Args)]
pub(super) struct Man {
    /// Write one page per command into this folder; without it, the first page goes to stdout
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    folder: Option<PathBuf>,
}

pub(super) fn run(caller: &Caller, it: &Man) -> Result<Outcome, Failure> {
    let command = super::Arguments::command();
    match &it.folder {
        Some(folder) => {
            let named = caller.path(folder);
            let failed = |error: std::io::Error| {
                Failure::new(format!("{} could not be written: {error}.", named.display()))
            };
            std::fs::create_dir_all(&named).map_err(failed)?;
            clap_mangen::generate_to(command, &named).map_err(failed)?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            caller.terminal.pass_on(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Outcome::Done)
}
