//! Form rules of Realtime scripts.

use super::*;

#[test]
fn scripts() {
    let zip = |size_bytes| Some(ZipFile { path: "a.zip".to_owned(), size_bytes, sha256: String::new() });
    let update =
        |id: &str, zip_file| UpdateScript { script_id: id.into(), name: None, version: None, zip_file };
    let version = |length| UpdateScript { version: Some(text(length)), ..update("script-1", None) };
    hold(
        [
            ("A16 ZipBlob", update("script-1", zip(5_000_000)), &[][..]),
            ("A16 ZipBlob", update("script-1", zip(5_000_001)), &["zipFile"]),
            ("A16 ScriptId", update("build-1", zip(1)), &["scriptId"]),
            ("our own: nothing to change", update("script-1", None), &["scriptId"]),
            ("A16 NonZeroAndMaxString", version(1_024), &[]),
            ("A16 NonZeroAndMaxString", version(1_025), &["version"]),
        ],
        Request::UpdateScript,
    );
}
