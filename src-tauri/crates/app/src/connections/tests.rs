//! Saving, opening, exporting and rejecting connections.

use liftdeck_model::Environment;
use serde_json::json;

use super::*;

fn draft(name: &str) -> ConnectionDraft {
    ConnectionDraft {
        name: name.to_owned(),
        environment: Environment::Production,
        profile: Some("prod".to_owned()),
        endpoint_url: None,
        regions: vec!["eu-west-1".into(), "us-east-1".into()],
        event_queues: vec![EventQueue {
            region: "eu-west-1".into(),
            url: "https://sqs.eu-west-1.amazonaws.com/111122223333/liftdeck".to_owned(),
        }],
    }
}

fn empty(folder: &tempfile::TempDir) -> Connections {
    Connections::load(folder.path().join("connections.json"))
}

#[test]
fn a_saved_connection_is_there_after_a_restart_and_the_last_opened_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let mut connections = empty(&folder);
    let prod = connections.save(None, draft("EU prod")).unwrap();
    let staging = connections.save(None, draft("Staging")).unwrap();
    connections.opened(&staging.id, Some("111122223333".into()), Timestamp::from_ms(10)).unwrap();
    connections.opened(&prod.id, None, Timestamp::from_ms(20)).unwrap();
    let again = empty(&folder);
    assert_eq!(again.list().iter().map(|c| c.id.as_str()).collect::<Vec<_>>(), ["eu-prod", "staging"]);
    assert_eq!(again.last().unwrap().id, "eu-prod");
    assert_eq!(again.get("staging").unwrap().account, Some("111122223333".into()));
}

#[test]
fn an_account_is_forgotten_when_the_profile_changes_and_kept_when_only_the_name_does() {
    let folder = tempfile::tempdir().unwrap();
    let mut connections = empty(&folder);
    let id = connections.save(None, draft("A")).unwrap().id;
    connections.opened(&id, Some("111122223333".into()), Timestamp::from_ms(1)).unwrap();
    let renamed = connections.save(Some(&id), draft("B")).unwrap();
    assert_eq!(renamed.account, Some("111122223333".into()));
    let moved = ConnectionDraft { profile: Some("other".to_owned()), ..draft("B") };
    assert_eq!(connections.save(Some(&id), moved).unwrap().account, None);
}

#[test]
fn names_are_unique_and_ids_are_made_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut connections = empty(&folder);
    connections.save(None, draft("EU prod")).unwrap();
    assert!(connections.save(None, draft("EU prod")).unwrap_err().message.contains("already called"));
    assert_eq!(connections.save(None, draft("eu/prod")).unwrap().id, "eu-prod-2");
    assert_eq!(connections.save(None, draft("日本")).unwrap().id, "connection");
}

#[test]
fn a_connection_travels_as_a_file_without_account_or_secret() {
    let folder = tempfile::tempdir().unwrap();
    let mut connections = empty(&folder);
    let id = connections.save(None, draft("EU prod")).unwrap().id;
    connections.opened(&id, Some("111122223333".into()), Timestamp::from_ms(1)).unwrap();
    let file = connections.export(&id).unwrap();
    assert!(!file.contains("\"account\""), "{file}");
    let imported = connections.import(&file).unwrap();
    assert_eq!(imported.name, "EU prod (2)");
    assert_eq!(imported.regions, draft("x").regions);
    assert_eq!(imported.last_opened, None);
}

#[test]
fn a_file_that_is_no_connection_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let mut connections = empty(&folder);
    assert!(connections.import("not json").unwrap_err().message.contains("not a connection file"));
    assert!(connections.import("{}").unwrap_err().remedy.is_some());
    let newer = r#"{"liftdeckConnection":2,"name":"a","environment":"demo","profile":null,"endpointUrl":null,"regions":["eu-west-1"],"eventQueues":[]}"#;
    assert!(connections.import(newer).unwrap_err().message.contains("newer"));
}

#[test]
fn keys_this_version_does_not_know_survive_a_save_and_the_file_says_its_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("connections.json");
    std::fs::write(&path, r#"{"groups":[1],"connections":[]}"#).unwrap();
    let mut connections = empty(&folder);
    connections.save(None, draft("A")).unwrap();
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!((&kept["groups"][0], &kept["version"]), (&json!(1), &json!(1)));
    assert!(empty(&folder).doubt().is_none());
}

#[test]
fn a_file_that_is_cut_newer_or_partly_unreadable_is_in_doubt_shows_the_rest_and_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("connections.json");
    empty(&folder).save(None, draft("A")).unwrap();
    let whole = std::fs::read_to_string(&path).unwrap();
    let mut keys: Value = serde_json::from_str(&whole).unwrap();
    keys["version"] = json!(2);
    let newer = keys.to_string();
    keys["version"] = json!(1);
    keys["connections"][0]["environment"] = json!("canary");
    let unknown_mark = keys.to_string();
    for (text, says, listed) in [
        (&whole[..whole.len() / 2], "damaged or incomplete", 0),
        ("", "damaged or incomplete", 0),
        ("{}", "no list of connections", 0),
        (&newer, "newer Liftdeck", 1),
        (&unknown_mark, "the connection A cannot be read", 0),
    ] {
        std::fs::write(&path, text).unwrap();
        let mut connections = empty(&folder);
        assert_eq!(connections.list().len(), listed, "{text}");
        let doubt = connections.doubt().expect(says).objection();
        assert!(doubt.contains(says) && doubt.contains(&*path.to_string_lossy()), "{doubt}");
        let refused = connections.save(None, draft("B")).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Refused);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "left as it is");
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(empty(&folder).doubt().is_some(), "what cannot be read at all");
}

#[test]
fn a_forgotten_connection_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let mut connections = empty(&folder);
    let id = connections.save(None, draft("A")).unwrap().id;
    connections.delete(&id).unwrap();
    assert_eq!(connections.delete(&id).unwrap_err().kind, ErrorKind::NotFound);
    assert!(empty(&folder).list().is_empty());
}

#[test]
fn a_draft_that_cannot_work_is_refused_with_what_is_wrong() {
    let refused = |change: fn(&mut ConnectionDraft)| {
        let mut bad = draft("A");
        change(&mut bad);
        checked(bad).unwrap_err().message
    };
    assert!(refused(|d| d.name = "  ".to_owned()).contains("name"));
    assert!(refused(|d| d.regions.clear()).contains("at least one"));
    assert!(refused(|d| d.regions = vec!["Ireland".into()]).contains("`Ireland`"));
    assert!(refused(|d| d.endpoint_url = Some("localhost:80".to_owned())).contains("http://"));
    assert!(refused(|d| d.endpoint_url = Some("http://me:pw@host".to_owned())).contains("password"));
    assert!(refused(|d| d.event_queues[0].url = "liftdeck".to_owned()).contains("event queue"));
    assert!(refused(|d| d.event_queues[0].region = "eu-north-1".into()).contains("Regions"));
}
