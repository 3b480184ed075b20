//! Places that something could have leaked to, and the search through them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use liftdeck_tests::program::Simulation;
use liftdeck_tests::trial::Trial;

use crate::PLAYER;
use crate::keys::{AWS, Source};

/// How many players of the world to search for; a sample, because each is searched for everywhere.
const PLAYERS: usize = 40;

/// The values to search for.
#[derive(Clone)]
pub(crate) struct Canaries {
    keys: Vec<&'static str>,
    players: BTreeSet<String>,
}

/// The part of a webhook's address that lets anybody send to it.
pub(crate) const HOOK: &str = "canaryHookOfTheWebhook05";
/// The key that signs what is sent there.
pub(crate) const SIGNING_KEY: &str = "canaryKeyForSigning06";

impl Canaries {
    pub(crate) fn of(simulation: &Simulation, region: &str) -> Self {
        let keys = Source::ALL.into_iter().flat_map(Source::keys).chain([HOOK, SIGNING_KEY]).collect();
        let mut canaries = Self { keys, players: [PLAYER.to_owned()].into() };
        let truth = simulation.get(&format!("/_simulator/truth?region={region}"));
        let players = truth["PlayerSessions"].as_array().expect("player sessions");
        let step = (players.len() / PLAYERS).max(1);
        let ids = players.iter().step_by(step).filter_map(|player| player["PlayerId"].as_str());
        // Shorter ids would match unrelated text.
        canaries.players.extend(ids.filter(|id| id.len() >= 8).map(str::to_owned));
        assert!(canaries.players.len() > PLAYERS / 2, "too few players to look for: {:?}", canaries.players);
        canaries
    }

    pub(crate) fn keys(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn players(&self) -> usize {
        self.players.len()
    }

    /// Whether a text names a canary player.
    pub(crate) fn meets_player(&self, text: &str) -> bool {
        self.players.iter().any(|player| text.contains(player.as_str()))
    }

    /// Returns the access key id of a source.
    pub(crate) fn key_of(&self, source: Source) -> &'static str {
        source.keys()[0]
    }
}

/// A place that something could have leaked to.
pub(crate) struct Sink {
    name: String,
    text: String,
    /// Whether player ids must not be here either.
    is_nobodys: bool,
}

impl Sink {
    pub(crate) fn text(name: impl Into<String>, text: &str, is_nobodys: bool) -> Self {
        Self { name: name.into(), text: text.to_owned(), is_nobodys }
    }

    pub(crate) fn bytes(name: impl Into<String>, bytes: &[u8], is_nobodys: bool) -> Self {
        Self { name: name.into(), text: String::from_utf8_lossy(bytes).into_owned(), is_nobodys }
    }

    /// Searches this place.
    pub(crate) fn hold(&self, trial: &Trial, canaries: &Canaries) {
        for key in canaries.keys.iter().filter(|key| self.leaks(key)) {
            trial.broke(format!("{key} is in {}", self.name));
        }
        for player in
            canaries.players.iter().filter(|player| self.is_nobodys && self.text.contains(player.as_str()))
        {
            trial.broke(format!("the player {player} is in {}", self.name));
        }
    }

    /// Whether a key leaks here. The simulator names callers by their access key id (`user/KEY`) where AWS uses a
    /// name. That identity is recorded and shown, which alone is no leak.
    fn leaks(&self, key: &str) -> bool {
        let said = self.text.match_indices(key);
        said.into_iter().any(|(at, _)| !self.text[..at].ends_with("user/"))
    }
}

/// Returns all files below a folder except the owner's own AWS files.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && entry.file_name() != AWS => files.extend(self::files(&path)),
            Ok(kind) if kind.is_file() => files.push(path),
            _ => {}
        }
    }
    files
}

/// Watches the arguments of every process continuously, because every user of the machine can read them.
pub(crate) struct Arguments {
    ended: Arc<AtomicBool>,
    looking: JoinHandle<BTreeSet<String>>,
}

impl Arguments {
    pub(crate) fn watch(canaries: &Canaries) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let (stop, canaries) = (Arc::clone(&ended), canaries.clone());
        // Excludes what this test itself types: the player of the reservation, and the key of the world that refuses
        // it.
        let is_typed = |word: &str| word == PLAYER || word == Source::Expired.keys()[0];
        let wanted: Vec<String> = canaries.keys.iter().map(|key| (*key).to_owned()).collect();
        let wanted = wanted.into_iter().chain(canaries.players).filter(|word| !is_typed(word));
        let wanted: Vec<String> = wanted.collect();
        let looking = std::thread::spawn(move || {
            let mut found = BTreeSet::new();
            while !stop.load(Ordering::Relaxed) {
                for process in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
                    let arguments = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
                    let arguments = String::from_utf8_lossy(&arguments);
                    for word in wanted.iter().filter(|word| arguments.contains(word.as_str())) {
                        found.insert(format!(
                            "{word} is among the arguments of {}",
                            arguments.replace('\0', " ")
                        ));
                    }
                }
                std::thread::sleep(Duration::from_millis(25));
            }
            found
        });
        Self { ended, looking }
    }

    /// Returns what was found.
    pub(crate) fn end(self) -> BTreeSet<String> {
        self.ended.store(true, Ordering::Relaxed);
        self.looking.join().expect("the look at processes")
    }
}
