//! Events about placements and matches, and how they get into their region's outbox.

use super::super::World;
use super::super::names::Kind;
use super::super::records::{
    MatchmakingKind, MatchmakingNotice, Notice, NoticeConnection, NoticeDetail, NoticePlayer, NoticeTicket,
    RuleEvaluation,
};
use super::super::session_view::SessionRef;
use super::GameMatch;
use crate::Scenario;

/// Period before the start whose events are still waiting to be read at the start.
const RECENT_MS: i64 = 3_600_000;

/// The same in `huge`, where it already contains tens of thousands of events.
const RECENT_HUGE_MS: i64 = 10 * 60_000;

/// Answers to a match so far: player, and whether they accepted.
type Answers<'a> = &'a [(u32, bool)];

impl World {
    /// Whether current events are announced. History that nobody could still receive is not.
    pub(crate) fn is_announced(&self) -> bool {
        let recent_ms = if self.scenario == Scenario::Huge { RECENT_HUGE_MS } else { RECENT_MS };
        self.now_ms >= self.start_ms - recent_ms
    }

    /// Adds an event to the outbox of a region.
    pub(crate) fn announce(
        &mut self,
        region: usize,
        resource_arn: String,
        notification_target: Option<String>,
        custom_event_data: Option<String>,
        detail: NoticeDetail,
    ) {
        self.counts.notices += 1;
        let id = self.names.uuid(Kind::Notice, self.counts.notices, 0);
        let time_ms = self.now_ms;
        let place = &mut self.regions[region];
        let region = place.name.clone();
        place.outbox.push_back(Notice {
            id,
            time_ms,
            region,
            resource_arn,
            notification_target,
            custom_event_data,
            detail,
        });
    }

    /// Announces a change of tickets that all belong to one matchmaker.
    fn tell(
        &mut self,
        tickets: &[u32],
        answers: Answers<'_>,
        match_id: Option<u32>,
        kind: impl FnOnce(&World) -> MatchmakingKind,
    ) {
        self.tell_at(tickets, answers, match_id, kind, |_| None);
    }

    /// Builds an event and announces it. Builds nothing if it would not be announced.
    fn tell_at(
        &mut self,
        tickets: &[u32],
        answers: Answers<'_>,
        match_id: Option<u32>,
        kind: impl FnOnce(&World) -> MatchmakingKind,
        connection: impl FnOnce(&World) -> Option<NoticeConnection>,
    ) {
        let first = tickets.first().and_then(|number| self.tickets.get(*number));
        let Some(matchmaker) =
            first.map(|ticket| usize::from(ticket.matchmaker)).filter(|_| self.is_announced())
        else {
            return;
        };
        let shown = tickets.iter().filter_map(|number| self.notice_ticket(*number, answers));
        let notice = MatchmakingNotice {
            kind: kind(self),
            tickets: shown.collect(),
            match_id: match_id.map(|number| self.match_id(number)),
            connection: connection(self),
        };
        let maker = &self.matchmakers[matchmaker];
        let (region, arn) = (maker.region, maker.record.configuration_arn.clone());
        let (target, custom) =
            (maker.record.notification_target.clone(), maker.record.custom_event_data.clone());
        self.announce(region, arn, target, custom, NoticeDetail::Matchmaking(notice));
    }

    fn notice_ticket(&self, number: u32, answers: Answers<'_>) -> Option<NoticeTicket> {
        let ticket = self.tickets.get(number)?;
        let accepted =
            |player: u32| answers.iter().find(|(known, _)| *known == player).map(|(_, accepted)| *accepted);
        let session = self.session(ticket.session);
        let own_team =
            |place: usize| ticket.asked.as_ref().and_then(|asked| asked.teams.get(place).cloned().flatten());
        let players = ticket.players.iter().enumerate().map(|(place, player)| {
            let seat =
                session.and_then(|session| session.seats.iter().position(|seat| seat.player == *player));
            NoticePlayer {
                player_id: self.player_id(*player),
                team: own_team(place).or_else(|| ticket.team.as_deref().map(str::to_owned)),
                accepted: accepted(*player),
                player_session_id: seat.map(|seat| self.names.player_session(ticket.session, seat as u16)),
            }
        });
        Some(NoticeTicket {
            ticket_id: self.ticket_id(number),
            start_time_ms: ticket.start_ms,
            players: players.collect(),
        })
    }

    pub(crate) fn match_id(&self, number: u32) -> String {
        self.names.uuid(Kind::Match, number, 0)
    }

    fn rule_evaluations(&self, matchmaker: u16, counts: &[(u32, u32)]) -> Vec<RuleEvaluation> {
        let rules = &self.matchmakers[usize::from(matchmaker)].rules;
        rules
            .iter()
            .zip(counts)
            .map(|(rule, (passed, failed))| RuleEvaluation {
                rule_name: rule.clone(),
                passed_count: (*passed).into(),
                failed_count: (*failed).into(),
            })
            .collect()
    }

    pub(super) fn tell_searching(&mut self, tickets: &[u32]) {
        self.tell(tickets, &[], None, |world| MatchmakingKind::Searching {
            estimated_wait_s: tickets.first().and_then(|number| world.estimated_wait_s(*number)),
        });
    }

    pub(super) fn tell_potential(&mut self, number: u32, game_match: &GameMatch, counts: &[(u32, u32)]) {
        self.tell(&game_match.tickets, &[], Some(number), |world| {
            let record = &world.matchmakers[usize::from(game_match.matchmaker)].record;
            MatchmakingKind::PotentialMatchCreated {
                acceptance_required: record.acceptance_required,
                acceptance_timeout_s: record
                    .acceptance_timeout_seconds
                    .filter(|_| record.acceptance_required),
                rule_evaluation_metrics: world.rule_evaluations(game_match.matchmaker, counts),
            }
        });
    }

    pub(super) fn tell_answer(&mut self, number: u32) {
        let Some(game_match) = self.matches.get(number).filter(|_| self.is_announced()).cloned() else {
            return;
        };
        self.tell(&game_match.tickets, &game_match.answers, Some(number), |_| MatchmakingKind::AcceptMatch);
    }

    pub(super) fn tell_answered(&mut self, number: u32, game_match: &GameMatch, acceptance: &'static str) {
        let kind = MatchmakingKind::AcceptMatchCompleted { acceptance };
        self.tell(&game_match.tickets, &[], Some(number), |_| kind);
    }

    pub(super) fn tell_cancelled(&mut self, ticket: u32, message: &str) {
        self.tell(&[ticket], &[], None, |world| MatchmakingKind::Cancelled {
            rule_evaluation_metrics: world.lonely_evaluations(ticket),
            message: message.to_owned(),
        });
    }

    pub(super) fn tell_timed_out(&mut self, ticket: u32) {
        self.tell(&[ticket], &[], None, |world| MatchmakingKind::TimedOut {
            rule_evaluation_metrics: world.lonely_evaluations(ticket),
            message: "Removed from matchmaking due to timing out.".to_owned(),
        });
    }

    /// Returns the rule evaluations of a ticket that found no match. For a ticket of the population, the rules were
    /// tried as long as it waited, and the last one always failed.
    fn lonely_evaluations(&self, number: u32) -> Vec<RuleEvaluation> {
        let Some(ticket) = self.tickets.get(number) else { return Vec::new() };
        if let Some(asked) = &ticket.asked {
            return self.rule_evaluations(ticket.matchmaker, &asked.counts);
        }
        let tries = 1 + ((self.now_ms - ticket.start_ms) / 10_000) as u32;
        let rules = self.matchmakers[usize::from(ticket.matchmaker)].rules.len();
        let last = rules.saturating_sub(1);
        let counts: Vec<_> =
            (0..rules).map(|rule| if rule == last { (0, tries) } else { (tries, 0) }).collect();
        self.rule_evaluations(ticket.matchmaker, &counts)
    }

    pub(super) fn tell_failed(
        &mut self,
        number: u32,
        game_match: &GameMatch,
        reason: (&'static str, &'static str),
    ) {
        self.tell(&game_match.tickets, &[], Some(number), |_| MatchmakingKind::Failed {
            reason: reason.0,
            message: reason.1.to_owned(),
            rule_evaluation_metrics: Vec::new(),
        });
    }

    /// Announces the success of a match that its callers place themselves.
    pub(super) fn tell_succeeded_alone(&mut self, number: u32, game_match: &GameMatch) {
        self.tell(&game_match.tickets, &[], Some(number), |_| MatchmakingKind::Succeeded);
    }

    pub(super) fn tell_succeeded(&mut self, number: u32, game_match: &GameMatch, session: u32) {
        if self.session(session).is_none() {
            return;
        }
        let connection = |world: &World| {
            let session = world.session(session)?;
            let view = SessionRef { world, session };
            let connection = world.connection(session);
            Some(NoticeConnection {
                game_session_arn: view.arn(),
                ip_address: connection.ip_address,
                dns_name: connection.dns_name,
                port: session.port,
                game_session_location: view.location().to_owned(),
                compute_name: connection.compute_name,
            })
        };
        let kind = |_: &World| MatchmakingKind::Succeeded;
        self.tell_at(&game_match.tickets, &[], Some(number), kind, connection);
    }
}
