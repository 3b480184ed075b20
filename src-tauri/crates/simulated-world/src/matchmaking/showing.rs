//! How tickets are shown, and the matchmaker data that a session carries.

use super::super::World;
use super::super::geography::{aws_locations, latency_ms};
use super::super::names::{Kind, mix};
use super::super::records::{
    AttributeValue, GameSessionConnectionInfo, MatchmakingConfigurationStatus, MatchmakingTicket,
    PlacedPlayerSession, Player,
};
use super::super::session::{NONE, Session};
use super::super::session_view::SessionRef;
use super::{Candidate, TEAMS, Ticket};

impl World {
    pub(crate) fn ticket_record(&self, number: u32, ticket: &Ticket) -> MatchmakingTicket {
        let maker = &self.matchmakers[usize::from(ticket.matchmaker)];
        MatchmakingTicket {
            ticket_id: self.ticket_id(number),
            configuration_name: maker.record.name.clone(),
            configuration_arn: maker.record.configuration_arn.clone(),
            status: ticket.status,
            status_reason: ticket.reason.map(|(code, _)| code.to_owned()),
            status_message: ticket.reason.map(|(_, text)| text.to_owned()),
            start_time_ms: ticket.start_ms,
            end_time_ms: ticket.end_ms,
            players: match &ticket.asked {
                Some(asked) => asked
                    .players
                    .iter()
                    .zip(&asked.teams)
                    .map(|(player, team)| self.asked_player(ticket, player, team))
                    .collect(),
                None => ticket.players.iter().map(|player| self.ticket_player(ticket, *player)).collect(),
            },
            game_session_connection_info: self.connection_info(ticket),
            estimated_wait_time_s: if ticket.status == MatchmakingConfigurationStatus::Searching {
                self.estimated_wait_s(number)
            } else {
                None
            },
        }
    }

    fn ticket_player(&self, ticket: &Ticket, player: u32) -> Player {
        let maker = &self.matchmakers[usize::from(ticket.matchmaker)];
        let locations = maker.queue.map(|queue| self.queues[queue].locations.as_slice()).unwrap_or_default();
        let jitter = (mix(self.seed, player.into()) % 15) as f64;
        let latency = |to: &String| (to.clone(), (latency_ms(ticket.area, to) + jitter) as u32);
        Player {
            player_id: self.player_id(player),
            player_attributes: vec![
                ("skill".to_owned(), AttributeValue::Number(f64::from(self.skill(player)))),
                ("platform".to_owned(), AttributeValue::Text(self.platform(player).to_owned())),
                ("modes".to_owned(), AttributeValue::Texts(vec!["ranked".to_owned(), "casual".to_owned()])),
            ],
            team: ticket.team.as_deref().map(str::to_owned),
            latency_in_ms: locations.iter().map(latency).collect(),
        }
    }

    /// Returns the id of a ticket: its caller's own, or a generated one for the population.
    pub(crate) fn ticket_id(&self, number: u32) -> String {
        match self.tickets.get(number).and_then(|ticket| ticket.asked.as_ref()) {
            Some(asked) => asked.ticket_id.clone(),
            None => self.names.uuid(Kind::Ticket, number, 0),
        }
    }

    fn asked_player(&self, ticket: &Ticket, player: &Candidate, team: &Option<String>) -> Player {
        Player {
            player_id: self.player_id(player.player),
            player_attributes: player.attributes.clone().into_iter().collect(),
            team: team.clone().or_else(|| ticket.team.as_deref().map(str::to_owned)),
            latency_in_ms: player.latencies.clone().into_iter().collect(),
        }
    }

    /// Returns the data of a player of the population, as far as rules use it.
    pub(super) fn simulated_candidate(&self, player: u32, area: &str) -> Candidate {
        let jitter = (mix(self.seed, player.into()) % 15) as f64;
        let modes = vec!["ranked".to_owned(), "casual".to_owned()];
        let attributes = [
            ("skill".to_owned(), AttributeValue::Number(f64::from(self.skill(player)))),
            ("platform".to_owned(), AttributeValue::Text(self.platform(player).to_owned())),
            ("modes".to_owned(), AttributeValue::Texts(modes)),
        ];
        let latency = |to: &str| (to.to_owned(), (latency_ms(area, to) + jitter) as u32);
        Candidate { player, attributes: attributes.into(), latencies: aws_locations().map(latency).collect() }
    }

    fn skill(&self, player: u32) -> u32 {
        800 + (mix(self.seed ^ 0x5111, player.into()) % 1400) as u32
    }

    fn platform(&self, player: u32) -> &'static str {
        ["pc", "xbox", "playstation"][mix(self.seed ^ 0x9147, player.into()) as usize % 3]
    }

    fn connection_info(&self, ticket: &Ticket) -> Option<GameSessionConnectionInfo> {
        let session = self.session(ticket.session)?;
        let connection = self.connection(session);
        let seat_of = |player: &u32| {
            let seat = session.seats.iter().position(|seat| seat.player == *player)?;
            Some(PlacedPlayerSession {
                player_id: self.player_id(*player),
                player_session_id: self.names.player_session(session.number, seat as u16),
            })
        };
        Some(GameSessionConnectionInfo {
            game_session_arn: SessionRef { world: self, session }.arn(),
            ip_address: Some(connection.ip_address),
            dns_name: connection.dns_name,
            port: Some(session.port),
            matched_player_sessions: ticket.players.iter().filter_map(seat_of).collect(),
        })
    }

    /// Returns seconds; absent for one ticket in four, as for a pool with little history.
    pub(super) fn estimated_wait_s(&self, number: u32) -> Option<u32> {
        let bits = self.names.value(Kind::Ticket, number.into());
        (bits & 3 != 0).then_some(8 + (bits >> 8) as u32 % 20)
    }

    /// Returns the JSON that FlexMatch stores in a session it created: the match, its teams and their players'
    /// attributes. It is built on the first request and kept with the session, because nothing in it changes.
    pub(crate) fn matchmaker_data<'a>(&self, session: &'a Session) -> Option<&'a str> {
        if session.game_match == NONE {
            return None;
        }
        let made = session.matchmaker_data.get_or_init(|| self.write_matchmaker_data(session));
        Some(made.as_ref()).filter(|text| !text.is_empty())
    }

    /// Returns an empty text if the placement that leads to the configuration has been forgotten.
    fn write_matchmaker_data(&self, session: &Session) -> Box<str> {
        if let Some(game_match) = self.matches.get(session.game_match).filter(|known| known.asked.is_some()) {
            return self.asked_matchmaker_data(session.game_match, game_match).into_boxed_str();
        }
        let placement = self.placements.get(session.placement as usize).and_then(Option::as_deref);
        let maker = placement.and_then(|placement| {
            self.matchmakers.iter().find(|maker| maker.queue == Some(usize::from(placement.queue)))
        });
        let Some(maker) = maker else { return Box::default() };
        let half = usize::from(session.profile().max_players) / TEAMS.len();
        let founders: Vec<u32> =
            session.seats.iter().take(session.founders.into()).map(|seat| seat.player).collect();
        let mut text = String::with_capacity(256 + 160 * founders.len());
        text.push_str(r#"{"matchId":"#);
        quote(&mut text, &self.match_id(session.game_match));
        text.push_str(r#","matchmakingConfigurationArn":"#);
        quote(&mut text, &maker.record.configuration_arn);
        text.push_str(r#","teams":["#);
        for (place, (name, players)) in TEAMS.iter().zip(founders.chunks(half.max(1))).enumerate() {
            text.push_str(if place == 0 { r#"{"name":"# } else { r#",{"name":"# });
            quote(&mut text, name);
            text.push_str(r#","players":["#);
            for (place, player) in players.iter().enumerate() {
                let (platform, skill) = (self.platform(*player), self.skill(*player));
                text.push_str(if place == 0 { "" } else { "," });
                text.push_str(r#"{"attributes":{"platform":{"attributeType":"STRING","valueAttribute":"#);
                quote(&mut text, platform);
                text.push_str(r#"},"skill":{"attributeType":"DOUBLE","valueAttribute":"#);
                text.push_str(&skill.to_string());
                text.push_str(r#"}},"playerId":"#);
                quote(&mut text, &self.player_id(*player));
                text.push('}');
            }
            text.push_str("]}");
        }
        text.push_str("]}");
        text.into_boxed_str()
    }
}

/// Appends text as a JSON string.
fn quote(to: &mut String, text: &str) {
    to.push_str(&serde_json::Value::from(text).to_string());
}
