//! Identifiers: made from the seed and a number, and converted back to the number.
//!
//! Sessions, players, placements and tickets need no index from id to record, because the id contains the number. An
//! id that was not made here is detected by comparing it with a freshly made one.

use super::text::push_hex;

/// The kind of thing an id stands for; keeps equal numbers of different kinds apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Fleet = 1,
    Alias,
    Build,
    Script,
    Deployment,
    Session,
    PlayerSession,
    Player,
    Placement,
    Ticket,
    Match,
    Event,
    Notice,
    Instance,
    Container,
    Certificate,
    Call,
}

/// Makes and reads ids of one world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names {
    seed: u64,
}

/// Returns a well-mixed 64-bit value of two others (the finalizer of SplitMix64, twice).
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_add(b.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    for _ in 0..2 {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
    }
    z
}

impl Names {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed: mix(seed, 0x6C69_6674) }
    }

    /// Returns a random-looking value that depends only on the seed, the kind and the number.
    pub(crate) fn value(&self, kind: Kind, number: u64) -> u64 {
        mix(self.seed ^ ((kind as u64) << 56), number)
    }

    /// Returns a version 4 UUID that contains `number` and `part`.
    pub(crate) fn uuid(&self, kind: Kind, number: u32, part: u16) -> String {
        let mut text = String::with_capacity(36);
        self.push_uuid(&mut text, kind, number, part);
        text
    }

    /// Appends the UUID that [`Names::uuid`] returns.
    pub(crate) fn push_uuid(&self, text: &mut String, kind: Kind, number: u32, part: u16) {
        let key = self.value(kind, u64::MAX);
        let front = scramble(number, key);
        let check = self.value(kind, (u64::from(number) << 16) | u64::from(part));
        let middle = part ^ (mix(key, u64::from(front)) as u16);
        push_hex(text, front.into(), 8);
        text.push('-');
        push_hex(text, middle.into(), 4);
        text.push_str("-4");
        push_hex(text, check, 3);
        text.push('-');
        push_hex(text, 0x8000 | ((check >> 12) & 0x3fff), 4);
        text.push('-');
        push_hex(text, check >> 16, 12);
    }

    /// Returns the number and part in a UUID that [`Names::uuid`] made for the same kind.
    pub(crate) fn read_uuid(&self, kind: Kind, text: &str) -> Option<(u32, u16)> {
        let front = u32::from_str_radix(text.get(..8)?, 16).ok()?;
        let middle = u16::from_str_radix(text.get(9..13)?, 16).ok()?;
        let key = self.value(kind, u64::MAX);
        let number = unscramble(front, key);
        let part = middle ^ (mix(key, u64::from(front)) as u16);
        (self.uuid(kind, number, part) == text).then_some((number, part))
    }

    /// Returns the `psess-…` id of a seat in a session.
    pub(crate) fn player_session(&self, session: u32, seat: u16) -> String {
        let mut text = String::with_capacity(42);
        text.push_str("psess-");
        self.push_uuid(&mut text, Kind::PlayerSession, session, seat);
        text
    }

    /// Returns the session and seat of a `psess-…` id.
    pub(crate) fn read_player_session(&self, text: &str) -> Option<(u32, u16)> {
        self.read_uuid(Kind::PlayerSession, text.strip_prefix("psess-")?)
    }

    /// Returns the game's own id of a player.
    pub(crate) fn player(&self, number: u32) -> String {
        let mut text = String::with_capacity(16);
        self.push_player(&mut text, number);
        text
    }

    /// Appends the id that [`Names::player`] returns.
    pub(crate) fn push_player(&self, text: &mut String, number: u32) {
        text.push_str("p-");
        push_hex(text, scramble(number, self.value(Kind::Player, u64::MAX)).into(), 8);
        push_hex(text, self.value(Kind::Player, number.into()), 6);
    }

    /// Returns the player with such an id.
    pub(crate) fn read_player(&self, text: &str) -> Option<u32> {
        let front = u32::from_str_radix(text.strip_prefix("p-")?.get(..8)?, 16).ok()?;
        let number = unscramble(front, self.value(Kind::Player, u64::MAX));
        (self.player(number) == text).then_some(number)
    }

    /// Appends the game backend's id of a placement.
    pub(crate) fn push_placement(&self, text: &mut String, number: u32) {
        text.push_str("plc-");
        self.push_uuid(text, Kind::Placement, number, 0);
    }

    /// Returns the placement with such an id.
    pub(crate) fn read_placement(&self, text: &str) -> Option<u32> {
        Some(self.read_uuid(Kind::Placement, text.strip_prefix("plc-")?)?.0)
    }

    /// Returns the `i-…` id of the nth instance of the world.
    pub(crate) fn instance(&self, number: u32) -> String {
        let mut text = String::with_capacity(19);
        self.push_instance(&mut text, number);
        text
    }

    /// Appends the id that [`Names::instance`] returns.
    pub(crate) fn push_instance(&self, text: &mut String, number: u32) {
        text.push_str("i-0");
        push_hex(text, scramble(number, self.seed).into(), 8);
        push_hex(text, self.value(Kind::Instance, number.into()), 8);
    }

    /// Returns the public address of the nth instance, from the range reserved for benchmarks (198.18.0.0/15), so
    /// that no address in a demo belongs to anybody.
    pub(crate) fn address(&self, number: u32) -> std::net::Ipv4Addr {
        const BASE: u32 = u32::from_be_bytes([198, 18, 0, 0]);
        // An odd factor keeps neighbours apart and still visits every address once.
        std::net::Ipv4Addr::from(
            BASE + (number.wrapping_mul(40_503).wrapping_add(self.seed as u32) & 0x1_ffff),
        )
    }
}

/// Permutes 32-bit numbers with four Feistel rounds.
fn scramble(number: u32, key: u64) -> u32 {
    let (mut left, mut right) = ((number >> 16) as u16, number as u16);
    for round in 0..4 {
        (left, right) = (right, left ^ mix(key ^ round, right.into()) as u16);
    }
    (u32::from(left) << 16) | u32::from(right)
}

fn unscramble(number: u32, key: u64) -> u32 {
    let (mut left, mut right) = ((number >> 16) as u16, number as u16);
    for round in (0..4).rev() {
        (left, right) = (right ^ mix(key ^ round, left.into()) as u16, left);
    }
    (u32::from(left) << 16) | u32::from(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(names: Names, number: u32) -> String {
        let mut id = String::new();
        names.push_placement(&mut id, number);
        id
    }

    #[test]
    fn an_id_gives_its_number_back_and_a_forged_one_does_not() {
        let names = Names::new(7);
        for number in [0, 1, 77, 65_536, u32::MAX] {
            assert_eq!(names.read_player(&names.player(number)), Some(number));
            assert_eq!(names.read_placement(&placement(names, number)), Some(number));
            assert_eq!(names.read_player_session(&names.player_session(number, 9)), Some((number, 9)));
        }
        let mut forged = placement(names, 5);
        let last = if forged.ends_with('0') { '1' } else { '0' };
        forged.pop();
        forged.push(last);
        assert_eq!(names.read_placement(&forged), None);
        assert_eq!(names.read_player("p-zz"), None);
        assert_eq!(names.read_player("p-é00000000000"), None);
    }

    #[test]
    fn ids_are_version_four_uuids_and_differ_between_seeds() {
        let id = Names::new(1).uuid(Kind::Session, 3, 0);
        let parsed = uuid::Uuid::parse_str(&id).unwrap();
        assert_eq!(parsed.get_version_num(), 4);
        assert_ne!(id, Names::new(2).uuid(Kind::Session, 3, 0));
    }

    #[test]
    fn the_first_hundred_thousand_instances_have_addresses_of_their_own() {
        let names = Names::new(3);
        let addresses: std::collections::BTreeSet<_> = (0..100_000).map(|n| names.address(n)).collect();
        assert_eq!(addresses.len(), 100_000);
    }
}
