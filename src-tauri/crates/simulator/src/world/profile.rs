//! Kinds of game that are played in the world: how many play, for how long, and what a session says about itself.

use super::names::mix;
use super::records::GameProperty;
use super::session::Session;

/// A kind of game.
#[derive(Debug)]
pub(crate) struct Profile {
    title: &'static str,
    mode: &'static str,
    maps: &'static [&'static str],
    ranked: bool,
    pub(crate) max_players: u16,
    /// Fewest players it starts with.
    pub(crate) min_founders: u16,
    /// Median length in minutes.
    pub(crate) median_min: f64,
    /// Sigma of the length's logarithm.
    pub(crate) sigma: f64,
    /// Share of players who stay to the end.
    pub(crate) loyalty: f64,
    /// Whether seats that fall free are taken by others, and ACCEPT_ALL.
    pub(crate) open: bool,
}

const ARENA_MAPS: &[&str] = &["harbor", "foundry", "canyon", "observatory"];
const COOP_MAPS: &[&str] = &["mine", "sanctuary", "outpost"];
const ROYALE_MAPS: &[&str] = &["archipelago", "tundra"];

/// Index of the unranked 5v5 game.
pub(crate) const CASUAL: u8 = 0;
/// Index of the ranked 5v5 game, made by matchmaking.
pub(crate) const RANKED: u8 = 1;
/// Index of the cooperative game on Realtime servers.
pub(crate) const COOP: u8 = 2;
/// Index of the many-player game in containers.
pub(crate) const ROYALE: u8 = 3;
/// Index of the sessions testers make by hand.
pub(crate) const TEST: u8 = 4;

const PROFILES: [Profile; 5] = [
    Profile {
        title: "arena casual",
        mode: "casual",
        maps: ARENA_MAPS,
        ranked: false,
        max_players: 12,
        min_founders: 4,
        median_min: 22.0,
        sigma: 0.35,
        loyalty: 0.6,
        open: true,
    },
    Profile {
        title: "arena ranked",
        mode: "ranked",
        maps: ARENA_MAPS,
        ranked: true,
        max_players: 10,
        min_founders: 10,
        median_min: 23.5,
        sigma: 0.25,
        loyalty: 0.93,
        open: false,
    },
    Profile {
        title: "expedition",
        mode: "coop",
        maps: COOP_MAPS,
        ranked: false,
        max_players: 4,
        min_founders: 1,
        median_min: 26.0,
        sigma: 0.4,
        loyalty: 0.7,
        open: true,
    },
    Profile {
        title: "royale",
        mode: "royale",
        maps: ROYALE_MAPS,
        ranked: false,
        max_players: 30,
        min_founders: 18,
        median_min: 18.0,
        sigma: 0.2,
        loyalty: 0.35,
        open: false,
    },
    Profile {
        title: "lab run",
        mode: "test",
        maps: ARENA_MAPS,
        ranked: false,
        max_players: 8,
        min_founders: 1,
        median_min: 24.0,
        sigma: 0.6,
        loyalty: 0.8,
        open: true,
    },
];

/// The kind of game with that index; the first one for an index that does not exist.
pub(crate) fn profile(index: u8) -> &'static Profile {
    PROFILES.get(usize::from(index)).unwrap_or(&PROFILES[0])
}

impl Session {
    pub(crate) fn profile(&self) -> &'static Profile {
        profile(self.profile)
    }
}

impl Profile {
    /// Mean length in milliseconds.
    pub(crate) fn mean_ms(&self) -> f64 {
        self.median_min * libm::exp(self.sigma * self.sigma / 2.0) * 60_000.0
    }

    pub(crate) fn session_name(&self, number: u32) -> String {
        format!("{} {}", self.title, number % 100_000)
    }

    pub(crate) fn properties(&self, flavour: u64) -> Vec<GameProperty> {
        let property = |key: &str, value: &str| GameProperty { key: key.to_owned(), value: value.to_owned() };
        let mut all = vec![
            property("mode", self.mode),
            property("map", self.maps[flavour as usize % self.maps.len()]),
            property("ranked", if self.ranked { "true" } else { "false" }),
            property("season", "season-7"),
        ];
        if self.ranked {
            all.push(property("tier", ["bronze", "silver", "gold", "platinum"][(flavour >> 8) as usize % 4]));
        }
        if self.open && flavour >> 16 & 7 == 0 {
            all.push(property("event", "double-xp"));
        }
        all
    }

    pub(crate) fn session_data(&self, flavour: u64) -> Option<String> {
        let tick_rate = if self.ranked { 60 } else { 30 };
        let salt = (flavour >> 20) & 0xffff;
        Some(format!(r#"{{"ruleset":"{}-v3","tickRate":{tick_rate},"salt":{salt}}}"#, self.mode))
    }

    pub(crate) fn player_data(&self, flavour: u64, player: u32) -> Option<String> {
        let bits = mix(flavour, player.into());
        let platform = ["pc", "pc", "xbox", "playstation", "switch"][bits as usize % 5];
        (bits >> 8 & 3 != 0)
            .then(|| format!(r#"{{"platform":"{platform}","crossplay":{}}}"#, bits >> 10 & 1 == 1))
    }
}
