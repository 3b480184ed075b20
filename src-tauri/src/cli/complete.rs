//! `liftdeck completion`, and what a shell is offered to complete: fleets, aliases, queues, scripts and connections.
//!
//! Owns the rule that completing is silent: a database that cannot be read offers nothing. Deliberately opens it for
//! reading only.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::Shells;
use liftdeck_app::clock;
use liftdeck_app::connections::Connections;
use liftdeck_app::home::Home;

use super::names::{Named, Names, Noun};
use super::{Caller, Failure, Outcome, database};

/// The environment variable with which a shell asks for completions.
pub(super) const VARIABLE: &str = "LIFTDECK_COMPLETE";

const MANUAL: &str = "\
Completions come from the program itself, so ids and names are those in your database. Add to your shell's start-up file:

  bash        source <(liftdeck completion bash)
  zsh         source <(liftdeck completion zsh)
  fish        liftdeck completion fish | source
  powershell  liftdeck completion powershell | Out-String | Invoke-Expression";

/// Which shell.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
pub(super) struct Completion {
    /// Shell
    #[arg(value_parser = ["bash", "zsh", "fish", "powershell"], value_name = "SHELL")]
    shell: String,
}

/// Prints the script that makes a shell ask this program for completions.
pub(super) fn run(caller: &Caller, it: &Completion) -> Result<Outcome, Failure> {
    let shells = Shells::builtins();
    let name = it.shell.as_str();
    let shell = shells
        .completer(name)
        .ok_or_else(|| Failure::usage(format!("There is no completion for {name}.")))?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, "liftdeck", "liftdeck", "liftdeck", &mut script)?;
    caller.terminal.pass_on(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

/// Answers a shell that asks for completions, and then ends the process.
pub(super) fn answer_a_shell() {
    clap_complete::CompleteEnv::with_factory(super::Arguments::command).var(VARIABLE).complete();
}

/// Completes ids and names of one kind of resource.
pub(super) fn of(noun: Noun) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let words: Vec<OsString> = std::env::args_os().collect();
        let names = chosen(&words).and_then(|database| read(&database)).unwrap_or_default();
        candidates(names.all(noun), current)
    })
}

/// Completes names of saved connections.
pub(super) fn connections() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let Ok(home) = Home::find() else { return Vec::new() };
        let saved = Connections::load(home.connections_file()).list();
        let named = |name: &String| starts(name, current);
        saved.into_iter().map(|one| one.name).filter(named).map(CompletionCandidate::new).collect()
    })
}

fn starts(text: &str, current: &OsStr) -> bool {
    current.to_str().is_some_and(|current| text.starts_with(current))
}

/// Offers the names that begin with what was typed, and the ids too if anything was typed.
fn candidates(all: &[Named], current: &OsStr) -> Vec<CompletionCandidate> {
    let offer = |value: &str, help: String| CompletionCandidate::new(value).help(Some(help.into()));
    let mut found: Vec<CompletionCandidate> = Vec::new();
    for one in all.iter().filter(|one| starts(&one.name, current)) {
        let is_only = all.iter().filter(|other| other.name == one.name).count() == 1;
        let value = if is_only { &one.name } else { &one.id };
        found.push(offer(value, format!("{} in {}", one.id, one.region)));
    }
    let by_id =
        all.iter().filter(|one| !current.is_empty() && one.id != one.name && starts(&one.id, current));
    found.extend(by_id.map(|one| offer(&one.id, format!("{} in {}", one.name, one.region))));
    found
}

/// The database that the words so far refer to, found as the commands find it.
fn chosen(words: &[OsString]) -> Option<PathBuf> {
    let value = |option: &str| {
        let mut words = words.iter().filter_map(|word| word.to_str());
        while let Some(word) = words.next() {
            if word == option {
                return words.next().map(str::to_owned);
            }
            if let Some(value) = word.strip_prefix(option).and_then(|rest| rest.strip_prefix('=')) {
                return Some(value.to_owned());
            }
        }
        None
    };
    if let Some(db) = value("--db") {
        return Some(PathBuf::from(db));
    }
    let home = Home::find().ok()?;
    let connections = Connections::load(home.connections_file());
    let meant = super::look::meant(&connections, value("--connection").as_deref()).ok()?;
    home.database_file(&meant.id).ok()
}

fn read(path: &Path) -> Option<Names> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    runtime.block_on(async {
        let now = clock::now();
        let store = database::look(path, now).await.ok()?;
        let names = Names::read(&store.reader(), now).await.ok();
        store.close().await;
        names
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_offered_unless_several_have_it() {
        let named = |id: &str, name: &str| Named::of(id, name, "eu-west-1");
        let all = [named("fleet-1", "arena"), named("fleet-2", "arena"), named("fleet-3", "duel")];
        let offered = |current: &str| -> Vec<String> {
            let found = candidates(&all, OsStr::new(current));
            found.iter().map(|one| one.get_value().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(offered(""), ["fleet-1", "fleet-2", "duel"]);
        assert_eq!(offered("du"), ["duel"]);
        assert_eq!(offered("fleet-3"), ["fleet-3"]);
        assert!(offered("x").is_empty());
    }

    #[test]
    fn the_place_is_read_from_the_words_so_far() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        assert_eq!(
            chosen(&words("liftdeck -- liftdeck fleet show --db a.sqlite x")),
            Some(PathBuf::from("a.sqlite"))
        );
        assert_eq!(
            chosen(&words("liftdeck -- liftdeck fleet show --db=b.sqlite x")),
            Some(PathBuf::from("b.sqlite"))
        );
    }
}
