//! Prints what the last GameLift SDK that speaks AWS JSON 1.1 reads: fleets, active game sessions, player sessions.
//!
//! One JSON object on standard output, ids to the fields the comparison needs. Deliberately asks page by page
//! with the SDK's own paginators, as an older backend would.

use std::error::Error;

use aws_sdk_gamelift::Client;
use aws_sdk_gamelift::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_http_client::Builder;
use serde_json::{Map, Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (endpoint, region) =
        arguments.next().zip(arguments.next()).ok_or("usage: older-sdk ENDPOINT REGION")?;
    let config = aws_sdk_gamelift::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(Builder::new().build_http())
        .endpoint_url(endpoint)
        .region(Region::new(region))
        .credentials_provider(Credentials::new("AKIDEXAMPLE", "secret", None, None, "test"))
        .build();
    let client = Client::from_conf(config);
    let mut fleets = Map::new();
    let mut sessions = Map::new();
    let mut players = Map::new();
    let mut pages = client.describe_fleet_attributes().into_paginator().send();
    while let Some(page) = pages.next().await {
        for fleet in page?.fleet_attributes() {
            let id = fleet.fleet_id().unwrap_or_default();
            let shown = json!({
                "Name": fleet.name(),
                "Status": fleet.status().map(|status| status.as_str()),
                "CreationTime": fleet.creation_time().map(|time| time.as_secs_f64()),
            });
            fleets.insert(id.to_owned(), shown);
        }
    }
    let ids: Vec<String> = fleets.keys().cloned().collect();
    for fleet in ids {
        let mut pages =
            client.describe_game_sessions().fleet_id(fleet).status_filter("ACTIVE").into_paginator().send();
        while let Some(page) = pages.next().await {
            for session in page?.game_sessions() {
                let id = session.game_session_id().unwrap_or_default();
                let shown = json!({
                    "Name": session.name(),
                    "Status": session.status().map(|status| status.as_str()),
                    "CurrentPlayerSessionCount": session.current_player_session_count(),
                    "MaximumPlayerSessionCount": session.maximum_player_session_count(),
                    "CreationTime": session.creation_time().map(|time| time.as_secs_f64()),
                    "IpAddress": session.ip_address(),
                    "Port": session.port(),
                    "Properties": session.game_properties().iter()
                        .map(|property| (property.key().unwrap_or_default().to_owned(), Value::from(property.value().unwrap_or_default())))
                        .collect::<Map<_, _>>(),
                });
                sessions.insert(id.to_owned(), shown);
            }
        }
    }
    // Every session's players would take this slow road long: a fixed share shows the same.
    for id in sessions.keys().step_by(10) {
        let mut pages = client.describe_player_sessions().game_session_id(id).into_paginator().send();
        while let Some(page) = pages.next().await {
            for player in page?.player_sessions() {
                let shown = json!({
                    "GameSessionId": player.game_session_id(),
                    "PlayerId": player.player_id(),
                    "Status": player.status().map(|status| status.as_str()),
                });
                players.insert(player.player_session_id().unwrap_or_default().to_owned(), shown);
            }
        }
    }
    println!("{}", json!({"fleets": fleets, "game_sessions": sessions, "player_sessions": players}));
    Ok(())
}
