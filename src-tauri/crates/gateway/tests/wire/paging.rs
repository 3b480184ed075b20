//! Listings over several pages, with the tokens a broken service might send.

use liftdeck_gateway::{ErrorKind, GameSessionFilter};
use liftdeck_model::game_session::GameSessionStatus;

use crate::answers::{Body, Value, alias, aliases, game_session};
use crate::server::{Answer, Server};

#[tokio::test]
async fn a_listing_of_three_pages_is_read_to_its_end() {
    let server = Server::start(|request, _| {
        Answer::cbor(if request.mentions("token-b") {
            aliases(&["alias-3"], None)
        } else if request.mentions("token-a") {
            aliases(&["alias-2"], Some("token-b"))
        } else {
            aliases(&["alias-1"], Some("token-a"))
        })
    })
    .await;
    let reading = server.reader().await.aliases().await;
    let ids: Vec<_> = reading.items.iter().map(|alias| alias.alias_id.as_str()).collect();
    assert_eq!(ids, ["alias-1", "alias-2", "alias-3"]);
    assert!(reading.complete && reading.failure.is_none());
}

#[tokio::test]
async fn a_repeated_token_never_passes_for_a_complete_listing() {
    let server = Server::start(|_, _| Answer::cbor(aliases(&["alias-1"], Some("same")))).await;
    let reading = server.reader().await.aliases().await;
    assert!(!reading.complete);
    let failure = reading.failure.unwrap();
    assert_eq!(failure.kind, ErrorKind::Decode);
    assert!(failure.to_string().contains("same page token twice"), "{failure}");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_cycle_of_tokens_ends() {
    let server =
        Server::start(|_, number| Answer::cbor(aliases(&["alias-1"], Some(["a", "b", "c"][number % 3]))))
            .await;
    let reading = server.reader().await.aliases().await;
    assert!(!reading.complete && reading.failure.is_some());
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn a_listing_that_fails_half_way_keeps_what_it_read() {
    let server = Server::start(|_, number| match number {
        0 => Answer::cbor(aliases(&["alias-1"], Some("next"))),
        _ => Answer::error(400, "InvalidRequestException", "the token has expired"),
    })
    .await;
    let reading = server.reader().await.aliases().await;
    assert_eq!(reading.items.len(), 1);
    assert!(!reading.complete);
    assert_eq!(reading.failure.unwrap().kind, ErrorKind::Invalid);
}

#[tokio::test]
async fn an_item_that_lacks_its_id_costs_the_proof_but_not_the_others() {
    let nameless = Value::Map(Body::new().text("Name", "live"));
    let body = Body::new().list("Aliases", vec![alias("alias-1"), nameless, alias("alias-2")]).bytes();
    let server = Server::start(move |_, _| Answer::cbor(body.clone())).await;
    let reading = server.reader().await.aliases().await;
    assert_eq!(reading.items.len(), 2);
    assert!(!reading.complete);
    assert_eq!(reading.failure.unwrap().kind, ErrorKind::Decode);
}

#[tokio::test]
async fn game_sessions_come_page_by_page_with_the_filter_on_each() {
    let server = Server::start(|request, _| {
        let last = request.mentions("token-a");
        let body = Body::new().list("GameSessions", vec![game_session(if last { "two" } else { "one" })]);
        Answer::cbor(if last { body } else { body.text("NextToken", "token-a") }.bytes())
    })
    .await;
    let reader = server.reader().await;
    let filter =
        GameSessionFilter { status: Some(GameSessionStatus::Active), location: Some("eu-north-1".into()) };
    let fleet = "fleet-1".into();
    let first = reader.game_sessions_page(&fleet, &filter, None).await.unwrap();
    assert!(!first.proves_the_end());
    assert_eq!(first.items[0].creation_time.as_ms(), 1_700_000_000_250);
    let second = reader.game_sessions_page(&fleet, &filter, first.next).await.unwrap();
    assert!(second.proves_the_end());
    for request in server.requests() {
        assert!(request.mentions("fleet-1") && request.mentions("ACTIVE") && request.mentions("eu-north-1"));
    }
}

#[tokio::test]
async fn fleets_of_all_kinds_are_one_listing_and_half_of_it_is_not_complete() {
    let server = Server::start(|request, _| match request.operation.as_str() {
        "DescribeFleetAttributes" => {
            let fleet =
                Body::new().text("FleetId", "fleet-1").text("Status", "ACTIVE").text("ComputeType", "EC2");
            Answer::cbor(Body::new().list("FleetAttributes", vec![Value::Map(fleet)]).bytes())
        }
        _ => Answer::error(403, "AccessDeniedException", "User is not authorized"),
    })
    .await;
    let reading = server.reader().await.fleets().await;
    assert_eq!(reading.items.len(), 1);
    assert!(!reading.complete);
    let failure = reading.failure.unwrap();
    assert_eq!((failure.kind, failure.operation), (ErrorKind::Denied, "ListContainerFleets"));
}
