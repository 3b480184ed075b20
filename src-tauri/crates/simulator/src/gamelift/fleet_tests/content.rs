//! CreateScript, UpdateScript, UpdateBuild.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};

use super::super::trial::Trial;

const HOME: &str = "eu-west-1";

/// A real zip with one file in it.
fn zip() -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    writer.start_file("rules.js", stored).unwrap();
    std::io::Write::write_all(&mut writer, b"exports.ssExports = {};").unwrap();
    writer.finish().unwrap().into_inner()
}

fn script(trial: &mut Trial) -> Json {
    trial.get("ListScripts", json!({}))["Scripts"][0]["ScriptId"].clone()
}

#[test]
fn requests_that_break_a_rule_of_content_are_refused() {
    let mut trial = Trial::new(HOME);
    let id = script(&mut trial);
    let good = STANDARD.encode(zip());
    let mut cut = zip();
    cut.truncate(cut.len() - 10);
    let large = STANDARD.encode(vec![0; 5_000_001]);
    let place = json!({ "Bucket": "b", "Key": "k", "RoleArn": "arn:aws:iam::111122223333:role/r" });
    let (ir, nf) = ("InvalidRequestException", "NotFoundException");
    trial.refuses(vec![
        ("A14 CreateScript: ZipFile or StorageLocation", "CreateScript", json!({ "Name": "n" }), ir),
        (
            "A14 CreateScript: ZipFile or StorageLocation",
            "CreateScript",
            json!({ "ZipFile": good, "StorageLocation": place }),
            ir,
        ),
        (
            "A14 CreateScript: a zip file",
            "CreateScript",
            json!({ "ZipFile": STANDARD.encode("console.log(1)") }),
            ir,
        ),
        (
            "A14 CreateScript: a whole zip file",
            "CreateScript",
            json!({ "ZipFile": STANDARD.encode(cut) }),
            ir,
        ),
        ("A14 CreateScript: up to 5,000,000 bytes", "CreateScript", json!({ "ZipFile": large }), ir),
        (
            "A14 CreateScript: bucket, key, role ARN",
            "CreateScript",
            json!({ "StorageLocation": { "Bucket": "b" } }),
            ir,
        ),
        ("A16 NodeJsVersion", "CreateScript", json!({ "ZipFile": good, "NodeJsVersion": "ten" }), ir),
        ("C Script: 10.x or 24.x", "CreateScript", json!({ "ZipFile": good, "NodeJsVersion": "18.x" }), ir),
        ("A10 UpdateScript: NF", "UpdateScript", json!({ "ScriptId": "script-0" }), nf),
        ("A14 UpdateScript: a zip file", "UpdateScript", json!({ "ScriptId": id, "ZipFile": "AAAA" }), ir),
        ("A10 UpdateBuild: NF", "UpdateBuild", json!({ "BuildId": "build-0", "Name": "n" }), nf),
        ("A16 NonZeroAndMaxString: 1..1024", "UpdateBuild", json!({ "BuildId": "build-0", "Name": "" }), ir),
    ]);
}

#[test]
fn a_script_is_made_from_a_zip_and_replaced_from_a_bucket() {
    let mut trial = Trial::new(HOME);
    let bytes = zip().len();
    let input = json!({ "Name": "rules", "Version": "1", "ZipFile": STANDARD.encode(zip()),
        "Tags": [{ "Key": "k", "Value": "v" }] });
    let made = trial.get("CreateScript", input)["Script"].clone();
    assert_eq!((&made["SizeOnDisk"], &made["NodeJsVersion"]), (&json!(bytes), &json!("10.x")));
    let tags = trial.get("ListTagsForResource", json!({ "ResourceARN": made["ScriptArn"] }));
    assert_eq!(tags["Tags"], json!([{ "Key": "k", "Value": "v" }]));
    let place = json!({ "Bucket": "b", "Key": "k", "RoleArn": "arn:aws:iam::111122223333:role/r" });
    let input = json!({ "ScriptId": made["ScriptId"], "Version": "2", "StorageLocation": place });
    trial.get("UpdateScript", input);
    let shown = trial.get("DescribeScript", json!({ "ScriptId": made["ScriptId"] }))["Script"].clone();
    assert_eq!((&shown["Name"], &shown["Version"]), (&json!("rules"), &json!("2")));
    assert_eq!((&shown["SizeOnDisk"], &shown["StorageLocation"]), (&json!(0), &place), "C: 0 when from S3");
    assert_eq!(shown["CreationTime"], made["CreationTime"]);
}

#[test]
fn a_build_gets_another_name_and_keeps_its_version() {
    let mut trial = Trial::new(HOME);
    let before = trial.get("ListBuilds", json!({}))["Builds"][0].clone();
    let answer = trial.get("UpdateBuild", json!({ "BuildId": before["BuildArn"], "Name": "renamed" }));
    assert_eq!(
        (&answer["Build"]["Name"], &answer["Build"]["Version"]),
        (&json!("renamed"), &before["Version"])
    );
    assert_eq!(trial.get("DescribeBuild", json!({ "BuildId": before["BuildId"] })), answer);
}
