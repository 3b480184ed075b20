//! Opening a database read-only: data is shown even while another program has it open, and nothing else is done.

use liftdeck_api::{Answer, Call, ErrorKind};
use serde_json::{Value, json};

use std::sync::Arc;

use crate::app::{App, AppOptions};
use crate::clock;
use crate::command_socket;
use crate::home::Home;
use crate::open::tests::{Site, fleets_are_there, until};
use liftdeck_api::error::AppError;

async fn ask(app: &App, name: &str, arguments: Value) -> Result<Value, AppError> {
    match app.ask(Call { name: name.to_owned(), arguments }).await? {
        Answer::Json(text) => Ok(serde_json::from_str(&text).unwrap()),
        other => panic!("{name} answers {other:?}"),
    }
}

fn app(site: &Site) -> Arc<App> {
    App::new(AppOptions::new(Home::under(site.folder.path()), clock::wall(), command_socket::nobody()))
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_open_elsewhere_is_looked_at_and_nothing_is_asked_of_aws() {
    let site = Site::new().await;
    let open = site.open().await.unwrap();
    fleets_are_there(&open).await;
    let app = app(&site);
    // What was polled is written a moment after what the poll found.
    until(|| async {
        app.look_at_file(&site.database(), app.turn().await).await.unwrap();
        let health = ask(&app, "health_get", Value::Null).await.unwrap();
        !health["regions"].as_array().unwrap().is_empty()
    })
    .await;

    let range = json!({ "from": 0, "to": clock::now().as_ms() });
    let fleets = ask(&app, "fleet_list", json!({ "range": range })).await.unwrap();
    assert!(!fleets["rows"].as_array().unwrap().is_empty(), "{fleets}");
    let health = ask(&app, "health_get", Value::Null).await.unwrap();
    assert_eq!(health["state"], "stopped");
    assert!(health["message"].as_str().unwrap().contains("Nothing is collected here"), "{health}");
    assert_eq!(health["regions"].as_array().unwrap().len(), 1, "{health}");

    let search = json!({ "region": "eu-west-1", "fleetId": "fleet-1", "aliasId": null, "location": null,
        "filter": "", "sort": "" });
    for (name, arguments) in [
        ("session_search", json!({ "query": search })),
        ("guard_unlock", json!({ "minutes": 5, "typed": null })),
        ("feed_release", json!({ "url": "https://sqs.example/1/q" })),
        ("preset_save", json!({ "preset": { "name": "a", "kind": "newSession", "body": "{}" } })),
    ] {
        let refused = ask(&app, name, arguments).await.unwrap_err();
        let is_clear =
            matches!(refused.kind, ErrorKind::Refused | ErrorKind::StoreReadOnly | ErrorKind::NotFound);
        assert!(is_clear, "{name}: {refused:?}");
    }
    let unknown = ask(&app, "placement_get", json!({ "placementId": "plc-none" })).await.unwrap_err();
    assert_eq!(unknown.kind, ErrorKind::NotFound, "{unknown:?}");

    app.close().await;
    open.close().await;
}

#[tokio::test]
async fn a_database_that_is_not_there_is_named_and_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::new(AppOptions::new(Home::under(folder.path()), clock::wall(), command_socket::nobody()))
        .unwrap();
    let absent = folder.path().join("none.sqlite");
    let refused = app.look_at_file(&absent, app.turn().await).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::NotFound, "{refused:?}");
    assert!(refused.message.contains("none.sqlite") && refused.remedy.is_some(), "{refused:?}");
    assert!(!absent.exists());
}
