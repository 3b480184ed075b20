//! What the palette finds.

use liftdeck_store::reader::search::Found;
use serde::{Deserialize, Serialize};
use specta::Type;

/// What kind of thing was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) enum GotoKind {
    Fleet,
    Session,
    Player,
    Queue,
    Alias,
    Placement,
}

/// A place to go to.
#[derive(Clone, Debug, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GotoHit {
    pub(crate) kind: GotoKind,
    pub(crate) label: String,
    pub(crate) detail: String,
    /// Address inside the window.
    pub(crate) link: String,
}

impl From<Found> for GotoHit {
    fn from(found: Found) -> Self {
        let link = |screen: &str, id: &str| format!("#/{screen}/{}", encoded(id));
        match found {
            Found::Fleet { fleet_id, name, region } => Self {
                kind: GotoKind::Fleet,
                label: name,
                detail: region.into_string(),
                link: link("fleets", fleet_id.as_str()),
            },
            Found::Alias { alias_id, name, region } => Self {
                kind: GotoKind::Alias,
                label: name,
                detail: format!("{alias_id} · {region}"),
                link: link("aliases", alias_id.as_str()),
            },
            Found::Queue { name, region } => Self {
                kind: GotoKind::Queue,
                label: name.to_string(),
                link: format!("#/placements/queues/{}/{}", encoded(region.as_str()), encoded(name.as_str())),
                detail: region.into_string(),
            },
            Found::GameSession { game_session_id, name, fleet_name, status } => Self {
                kind: GotoKind::Session,
                label: name.unwrap_or_else(|| game_session_id.short().to_owned()),
                detail: format!("{status} · {fleet_name}"),
                link: link("sessions", game_session_id.as_str()),
            },
            Found::Player { player_id } => Self {
                kind: GotoKind::Player,
                label: player_id.to_string(),
                detail: String::new(),
                link: format!("#/players?q={}", encoded(player_id.as_str())),
            },
            Found::Placement { placement_id, queue, event_time } => Self {
                kind: GotoKind::Placement,
                label: placement_id.to_string(),
                detail: format!("{queue} · {event_time}"),
                link: link("placements", placement_id.as_str()),
            },
        }
    }
}

/// An id as JavaScript's `encodeURIComponent` writes it, for the window's address.
pub(crate) fn encoded(id: &str) -> String {
    let mut text = String::with_capacity(id.len());
    for byte in id.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_in_an_address_is_written_as_javascript_writes_it() {
        assert_eq!(encoded("arn:aws/a b-é"), "arn%3Aaws%2Fa%20b-%C3%A9");
    }
}
