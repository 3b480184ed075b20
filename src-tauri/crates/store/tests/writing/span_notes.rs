//! Notes about spans of time.

use liftdeck_model::time::TimeRange;
use liftdeck_store::reader::span_note::SpanNote;

use crate::fixture::{NOW, Place};

fn note(minutes: i64, text: &str) -> SpanNote {
    SpanNote { at: NOW.plus_ms(minutes * 60_000), by: Some("mia".to_owned()), text: text.to_owned() }
}

#[tokio::test]
async fn a_note_stands_with_the_scope_and_range_it_was_written_to_and_with_no_other() {
    let place = Place::new();
    let store = place.open().await;
    let (reader, writer) = (store.reader(), store.writer().unwrap());
    let range = TimeRange::new(NOW.plus_ms(-3_600_000), NOW);
    let other = TimeRange::new(range.from, NOW.plus_ms(1));
    for (scope, range, note) in [
        ("fleet-1", range, note(1, "the build was bad")),
        ("fleet-1", other, note(2, "of another range")),
        ("fleet-2", range, note(2, "of another fleet")),
        ("fleet-1", range, note(3, "taken back")),
    ] {
        writer.note_span(scope.to_owned(), range, note).await.unwrap();
    }
    let expected = [note(1, "the build was bad"), note(3, "taken back")];
    assert_eq!(reader.span_notes("fleet-1", range).await.unwrap(), expected);
    assert_eq!(reader.span_notes("fleet-3", range).await.unwrap(), []);
    store.close().await;
}
