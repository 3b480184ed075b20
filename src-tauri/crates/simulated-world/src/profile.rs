//! The kinds of game in the world: how many play, for how long, and the data of their sessions.

use super::names::mix;
use super::records::GameProperty;
use super::session::Session;
use super::text::push_number;

/// A kind of game.
#[derive(Debug)]
pub struct Profile {
    title: &'static str,
    mode: &'static str,
    maps: &'static [&'static str],
    ranked: bool,
    pub(crate) max_players: u16,
    /// Minimum number of players at the start.
    pub(crate) min_founders: u16,
    /// Median length in minutes.
    pub(crate) median_min: f64,
    /// Sigma of the length's logarithm.
    pub(crate) sigma: f64,
    /// Share of players who stay to the end.
    pub(crate) loyalty: f64,
    /// Whether others take seats that become free, with the policy ACCEPT_ALL.
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
/// Index of the sessions that testers create by hand.
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

/// Returns the kind of game with that index, or the first if there is none.
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
        let mut name = String::with_capacity(24);
        self.push_session_name(&mut name, number);
        name
    }

    /// Appends the name that [`Profile::session_name`] returns.
    pub(crate) fn push_session_name(&self, text: &mut String, number: u32) {
        text.push_str(self.title);
        text.push(' ');
        push_number(text, u64::from(number % 100_000));
    }

    /// Returns the names and values of a session's game properties.
    pub(crate) fn each_property(&self, flavour: u64) -> impl Iterator<Item = (&'static str, &'static str)> {
        const TIERS: [&str; 4] = ["bronze", "silver", "gold", "platinum"];
        let always = [
            ("mode", self.mode),
            ("map", self.maps[flavour as usize % self.maps.len()]),
            ("ranked", if self.ranked { "true" } else { "false" }),
            ("season", "season-7"),
        ];
        let tier = self.ranked.then(|| ("tier", TIERS[(flavour >> 8) as usize % 4]));
        let event = (self.open && flavour >> 16 & 7 == 0).then_some(("event", "double-xp"));
        always.into_iter().chain(tier).chain(event)
    }

    pub(crate) fn properties(&self, flavour: u64) -> Vec<GameProperty> {
        let property =
            |(key, value): (&str, &str)| GameProperty { key: key.to_owned(), value: value.to_owned() };
        self.each_property(flavour).map(property).collect()
    }

    pub(crate) fn session_data(&self, flavour: u64) -> String {
        let mut data = String::with_capacity(64);
        self.push_session_data(&mut data, flavour);
        data
    }

    /// Appends the text that [`Profile::session_data`] returns.
    pub(crate) fn push_session_data(&self, text: &mut String, flavour: u64) {
        text.push_str(r#"{"ruleset":""#);
        text.push_str(self.mode);
        text.push_str(r#"-v3","tickRate":"#);
        text.push_str(if self.ranked { "60" } else { "30" });
        text.push_str(r#","salt":"#);
        push_number(text, (flavour >> 20) & 0xffff);
        text.push('}');
    }

    pub(crate) fn player_data(&self, flavour: u64, player: u32) -> Option<String> {
        let bits = mix(flavour, player.into());
        let platform = ["pc", "pc", "xbox", "playstation", "switch"][bits as usize % 5];
        (bits >> 8 & 3 != 0)
            .then(|| format!(r#"{{"platform":"{platform}","crossplay":{}}}"#, bits >> 10 & 1 == 1))
    }
}
