//! Tickets and backfills.

use liftdeck_model::matchmaking::TicketStatus;

use super::*;

#[tokio::test]
async fn a_ticket_is_matched_accepted_and_backfilled_and_another_one_stopped() {
    let bench = Bench::open().await;
    let configurations = bench.reader.matchmaking_configurations().await.items;
    let duel = configurations.iter().find(|found| found.acceptance_required).unwrap();
    let rule_sets = bench.reader.rule_sets().await;
    assert!(rule_sets.complete);
    let wanted = duel.rule_set_name.as_deref();
    assert!(
        rule_sets
            .items
            .iter()
            .any(|found| Some(found.name.as_str()) == wanted && found.body.contains("teams"))
    );

    let skill = PlayerAttribute { name: "skill".to_owned(), value: AttributeValue::Number(1_000.0) };
    let latency = RegionLatency { region: bench.world.region.to_string(), latency_ms: 20 };
    let player = |id: &str, team: Option<&str>| MatchPlayer {
        player_id: id.into(),
        team: team.map(str::to_owned),
        attributes: vec![skill.clone()],
        latencies: vec![latency.clone()],
    };
    let start = |ticket: &str, player_id: &str| {
        Request::StartMatchmaking(StartMatchmaking {
            configuration_name: duel.name.clone(),
            ticket_id: ticket.into(),
            players: vec![player(player_id, None)],
        })
    };
    let shown = async |id: &str| {
        let mut reading = bench.reader.tickets(&[id.into(), "never-was".into()]).await;
        assert!(reading.complete && reading.items.len() == 1, "{reading:?}");
        reading.items.remove(0)
    };
    let Made::Ticket(ticket) = bench.made(start("t-1", "ada")).await else { panic!("a ticket") };
    assert!(!ticket.status.is_final());
    assert_eq!(ticket.players[0].attributes, std::slice::from_ref(&skill));
    let accept = |accept| {
        Request::AcceptMatch(AcceptMatch { ticket_id: "t-1".into(), player_ids: vec!["ada".into()], accept })
    };
    let mut status = ticket.status;
    for _ in 0..40 {
        if matches!(status, TicketStatus::RequiresAcceptance) {
            break;
        }
        bench.pass(1).await;
        status = shown("t-1").await.status;
    }
    assert_eq!(status, TicketStatus::RequiresAcceptance);
    assert_eq!(bench.made(accept(true)).await, Made::Nothing);
    bench.pass(60).await;
    let done = shown("t-1").await;
    assert_eq!(done.status, TicketStatus::Completed, "{done:?}");
    let connection = done.connection.unwrap();
    assert!(connection.port.is_some());
    bench.refused(accept(true), "InvalidRequestException").await;

    let backfill = |game_session_id, ticket: &str| {
        Request::StartMatchBackfill(StartMatchBackfill {
            configuration_name: duel.name.clone(),
            ticket_id: ticket.into(),
            game_session_id,
            players: vec![player("ada", Some("red"))],
        })
    };
    let id = connection.game_session_id.unwrap();
    let teams = rule_sets.items.iter().find(|found| Some(found.name.as_str()) == wanted).unwrap();
    assert!(teams.body.contains("\"red\""), "{}", teams.body);
    let Made::Ticket(ticket) = bench.made(backfill(id, "t-2")).await else { panic!("a ticket") };
    assert_eq!(ticket.ticket_id.as_str(), "t-2");
    let never = format!("arn:aws:gamelift:{}::gamesession/{NO_FLEET}/never-was", bench.world.region);
    bench.operator.send(&backfill(never.into(), "t-3"), None).await.unwrap_err();

    bench.made(start("t-4", "bo")).await;
    let stop = |id: &str| Request::StopMatchmaking(StopMatchmaking { ticket_id: id.into() });
    assert_eq!(bench.made(stop("t-4")).await, Made::Nothing);
    assert_eq!(shown("t-4").await.status, TicketStatus::Cancelled);
    bench.refused(stop("never-was"), "NotFoundException").await;
}
