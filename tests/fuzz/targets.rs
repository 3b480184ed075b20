//! The fuzz targets, and the properties that must hold for any input besides not panicking.

use std::cell::RefCell;
use std::io::{Cursor, Seek, SeekFrom, Write};

use liftdeck_collector::feed::{self, FeedBody, Reading};
use liftdeck_model::query::{self, MAX_TERMS, Query, QueryError, Vocabulary};
use liftdeck_model::search::{FilterExpression, SortExpression};
use liftdeck_model::trail::{Footprint, TrailCall};
use liftdeck_model::{AccountId, Region, Timestamp};
use liftdeck_simulator::FaultPlan;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A reader of outside input.
pub(crate) struct Target {
    /// Name of what it reads.
    pub(crate) name: &'static str,
    /// Valid inputs to start from.
    pub(crate) samples: Vec<Vec<u8>>,
    /// Words of its format.
    pub(crate) words: &'static [&'static str],
    /// Checks the properties that must hold for any input.
    pub(crate) holds: fn(&[u8]) -> Result<(), TestCaseError>,
}

/// Every target.
pub(crate) fn all() -> Vec<Target> {
    vec![
        Target {
            name: "query language",
            samples: texts(&[
                "status:active fleet:eu-prod* players>=8 prop.mode:ranked name:/season.+/ created:<2h -region:us-east-1",
                "(players=0 or free>10) -(status:terminated ended:none) name=\"say \\\"hi\\\"\"",
                "prop.\"game mode\":x duration>30m player:abc arena",
            ]),
            words: &[
                "status:",
                "fleet:",
                "players",
                "prop.",
                "name:/",
                "created:<",
                "-",
                "(",
                ")",
                " or ",
                "\"",
                "\\",
                "*",
                ">=",
                "!=",
                "none",
                "2h",
                "/",
                ":",
                "active",
                " ",
                "é",
                "\u{202e}",
                "9999999999999999999",
            ],
            holds: query_language,
        },
        Target {
            name: "search grammar",
            samples: texts(&[
                "hasAvailablePlayerSessions=true AND maximumSessions>=8",
                "gameSessionProperties.mode = 'ranked' AND (creationTimeMillis < 1700000000000 OR NOT gameSessionName='x')",
                "creationTimeMillis DESC",
            ]),
            words: &[
                "AND ",
                "OR ",
                "NOT ",
                "(",
                ")",
                "'",
                "=",
                "<=",
                "gameSessionProperties.",
                "maximumSessions",
                "true",
                " ASC",
                " DESC",
                "creationTimeMillis",
                "-1",
                "\\",
                "\"",
                "é",
            ],
            holds: search_grammar,
        },
        Target {
            name: "event envelopes",
            samples: events(),
            words: &[
                "{",
                "}",
                "[",
                "]",
                "\"",
                ":",
                ",",
                "null",
                "\\u0000",
                "\\ud800",
                "\"detail\"",
                "\"detail-type\"",
                "\"GameLift Queue Placement Event\"",
                "\"GameLift Matchmaking Event\"",
                "\"account\"",
                "\"resources\"",
                "\"Type\":\"Notification\"",
                "\"Message\"",
                "1e400",
                "-0",
                "\"region\"",
                "\"mars-north-1\"",
            ],
            holds: event_envelopes,
        },
        Target {
            name: "CloudTrail records",
            samples: texts(&[
                r#"{"eventID":"e-1","eventName":"UpdateAlias","eventTime":"2026-11-20T20:05:27Z","awsRegion":"eu-west-1","readOnly":false,"userIdentity":{"type":"IAMUser","userName":"bob"},"requestParameters":{"aliasId":"alias-1"}}"#,
                r#"{"eventID":"e-2","eventName":"UpdateFleetCapacity","eventTime":"2026-11-20T20:05:27Z","awsRegion":"us-east-1","userIdentity":{"type":"AssumedRole","arn":"arn:aws:sts::1:assumed-role/R/s","sessionContext":{"sessionIssuer":{"userName":"R"}}},"requestParameters":{"fleetId":"fleet-1","maxSize":9},"responseElements":null}"#,
            ]),
            words: &[
                "\"eventID\":",
                "\"userIdentity\":",
                "null",
                "{",
                "}",
                "[",
                "\"",
                "\\u0000",
                "9e999",
                "T",
                "/",
                ":",
            ],
            holds: trail_records,
        },
        Target {
            name: "zip check",
            samples: zips(),
            words: &[
                "PK\x01\x02",
                "PK\x03\x04",
                "PK\x05\x06",
                "PK\x06\x06",
                ".js",
                "../",
                "\0",
                "\u{7f}",
                "match.js",
            ],
            holds: zip_check,
        },
        Target {
            name: "fault plans",
            samples: texts(&[
                "[[fault]]\noperation = \"gamelift:Describe*\"\nkind = \"throttle\"\nprobability = 0.3\n",
                "[[fault]]\nkind = \"clock-skew\"\nskew_s = -3600\ncount = 4\nskip = 2\n[[fault]]\nstatus = 503\n",
            ]),
            words: &[
                "[[fault]]",
                "\n",
                "=",
                "\"",
                "kind = ",
                "\"stall\"",
                "probability = ",
                "nan",
                "inf",
                "-1",
                "1e308",
                "skew_s = ",
                "9223372036854775807",
                "-9223372036854775808",
                "status = ",
                "operation = ",
                "*",
                "region = ",
                "#",
            ],
            holds: fault_plans,
        },
    ]
}

fn texts(samples: &[&str]) -> Vec<Vec<u8>> {
    samples.iter().map(|text| text.as_bytes().to_vec()).collect()
}

fn query_language(input: &[u8]) -> Result<(), TestCaseError> {
    let text = String::from_utf8_lossy(input);
    match Query::parse(&text) {
        Ok(query) => {
            prop_assert!(query.terms().len() <= MAX_TERMS);
            for term in query.terms() {
                let span = text.get(term.span.start..term.span.end);
                prop_assert!(span.is_some_and(|term| !term.is_empty()), "{:?} in {text:?}", term.span);
            }
        }
        Err(error) => pointed(&text, &error)?,
    }
    for caret in [0, input.len() / 2, input.len(), usize::MAX] {
        for offered in query::completions(&text, caret, &Vocabulary::default()) {
            let replaced = text.get(offered.replaces.start..offered.replaces.end);
            prop_assert!(replaced.is_some(), "{offered:?} in {text:?}");
        }
    }
    Ok(())
}

fn search_grammar(input: &[u8]) -> Result<(), TestCaseError> {
    let text = String::from_utf8_lossy(input);
    match FilterExpression::parse(&text) {
        Ok(filter) => {
            if let Some(filter) = filter {
                let again = FilterExpression::parse(filter.as_str());
                prop_assert_eq!(again.ok().flatten(), Some(filter));
            }
        }
        Err(error) => pointed(&text, &error)?,
    }
    match SortExpression::parse(&text) {
        Ok(_) => {}
        Err(error) => pointed(&text, &error)?,
    }
    Ok(())
}

/// Checks that an error has a message and a span inside the text.
fn pointed(text: &str, error: &QueryError) -> Result<(), TestCaseError> {
    prop_assert!(!error.message.is_empty());
    prop_assert!(text.get(error.span.start..error.span.end).is_some(), "{error:?} in {text:?}");
    Ok(())
}

/// A record is read or refused with a reason, and read again it says the same.
fn trail_records(input: &[u8]) -> Result<(), TestCaseError> {
    let text = String::from_utf8_lossy(input);
    match TrailCall::read(&text) {
        Ok(call) => {
            prop_assert!(!call.event_id.is_empty() && !call.caller.principal.label().is_empty());
            let footprint = Footprint {
                kind: "alias",
                resource: "alias-1",
                fleet_id: None,
                location: None,
                home: "eu-west-1",
                field: "last_updated_time",
                after: None,
            };
            prop_assert!(!footprint.is_left_by(&call) || call.took_effect());
            prop_assert_eq!(TrailCall::read(&text).ok(), Some(call));
        }
        Err(misfit) => prop_assert!(!misfit.to_string().is_empty()),
    }
    Ok(())
}

fn event_envelopes(input: &[u8]) -> Result<(), TestCaseError> {
    let text = String::from_utf8_lossy(input);
    let (region, account) = (Region::from("eu-west-1"), AccountId::from("111122223333"));
    let read = || {
        feed::read(FeedBody {
            message_id: "m-1",
            queue_url: "https://sqs.eu-west-1.amazonaws.com/111122223333/liftdeck",
            region: &region,
            account: &account,
            received_at: Timestamp::from_ms(1_772_619_330_000),
            body: &text,
        })
    };
    let reading = read();
    if let Reading::Aside(message) = &reading {
        prop_assert_eq!(&message.body, &*text);
        prop_assert!(!message.detail.is_empty());
    }
    prop_assert_eq!(read(), reading);
    Ok(())
}

/// Opens a file for zips, in memory if possible, because there may be millions of writes.
fn zip_file() -> tempfile::NamedTempFile {
    let mut builder = tempfile::Builder::new();
    let zip = builder.suffix(".zip");
    zip.tempfile_in("/dev/shm").or_else(|_| zip.tempfile()).expect("a temporary file")
}

fn zip_check(input: &[u8]) -> Result<(), TestCaseError> {
    thread_local! {
        static FILE: RefCell<tempfile::NamedTempFile> = RefCell::new(zip_file());
    }
    let archive = FILE.with_borrow_mut(|file| {
        let written = file.as_file().set_len(0).and_then(|()| file.seek(SeekFrom::Start(0)));
        written.and_then(|_| file.write_all(input)).and_then(|()| liftdeck_operations::inspect(file.path()))
    });
    let archive = archive.map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert_eq!(archive.file.is_some(), archive.problems.is_empty());
    prop_assert!(archive.entries.len() <= 1_000);
    prop_assert!(archive.file.is_none_or(|file| file.size_bytes as usize == input.len()));
    Ok(())
}

fn fault_plans(input: &[u8]) -> Result<(), TestCaseError> {
    let text = String::from_utf8_lossy(input);
    match FaultPlan::from_toml(&text) {
        Ok(plan) => {
            let json =
                serde_json::to_string(&plan).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let again: FaultPlan = serde_json::from_str(&json)
                .map_err(|error| TestCaseError::fail(format!("{error}: {json}")))?;
            prop_assert_eq!(again.checked().ok(), Some(plan));
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    Ok(())
}

fn events() -> Vec<Vec<u8>> {
    let published = include_str!("../../src-tauri/crates/collector/fixtures/events.ndjson");
    let notification = include_str!("../../src-tauri/crates/collector/fixtures/sns-notification.json");
    published.lines().chain([notification]).map(|text| text.as_bytes().to_vec()).collect()
}

fn zips() -> Vec<Vec<u8>> {
    [&["match.js"][..], &["match.js", "lib/maths.js", "data.json"], &["lib/only.js"], &[]]
        .iter()
        .map(|files| {
            let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
            for name in *files {
                zip.start_file(*name, SimpleFileOptions::default()).expect("an entry");
                zip.write_all(b"exports.ssExports = {};").expect("its content");
            }
            zip.finish().expect("a zip").into_inner()
        })
        .collect()
}
