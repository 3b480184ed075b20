//! Changes to Realtime scripts.

use bytes::Bytes;
use liftdeck_gateway::ErrorKind;

use super::*;

#[tokio::test]
async fn a_script_gets_new_files_and_a_version() {
    let bench = Bench::open().await;
    let before = bench.reader.scripts().await.items.remove(0);
    let zip = Bytes::from_static(include_bytes!("../script.zip"));
    let size_bytes = u32::try_from(zip.len()).unwrap();
    let update = UpdateScript {
        script_id: before.script_id.clone(),
        name: None,
        version: Some("by hand".to_owned()),
        zip_file: Some(ZipFile { path: "script.zip".to_owned(), size_bytes, sha256: String::new() }),
    };
    let request = Request::UpdateScript(update.clone());
    let sent = bench.operator.send(&request, Some(zip.clone())).await.unwrap();
    let Made::Script(script) = sent.made else { panic!("{:?}", sent.made) };
    assert_eq!((script.version.as_deref(), script.name.clone()), (Some("by hand"), before.name));
    assert_eq!(bench.reader.script(&before.script_id).await.unwrap(), Some(*script));

    let sent_so_far = bench.calls("gamelift:UpdateScript");
    for wrong in [None, Some(zip.slice(1..))] {
        let error = bench.operator.send(&request, wrong).await.unwrap_err();
        assert_eq!((error.kind, error.may_have_happened()), (ErrorKind::Invalid, false), "{error}");
    }
    assert_eq!(bench.calls("gamelift:UpdateScript"), sent_so_far, "neither was sent");
    let never = UpdateScript {
        script_id: "script-00000000-0000-0000-0000-000000000000".into(),
        zip_file: None,
        ..update
    };
    bench.refused(Request::UpdateScript(never.clone()), "NotFoundException").await;
    assert_eq!(bench.reader.script(&never.script_id).await, Ok(None));
}
