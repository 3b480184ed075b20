//! An incoming webhook of Slack: `text` for notifications, blocks for the channel (docs.slack.dev, Block Kit: a header
//! has at most 150 characters, a section 3 000, a message 50 blocks).

use serde_json::{Value, json};

use crate::envelope::{Envelope, cut, sentences};
use crate::post::Request;

/// Most characters of a header.
const HEADER: usize = 150;
/// Most characters of what is said of an alert: even if each is escaped, a section holds it.
const SECTION: usize = 550;

pub(crate) fn request(envelope: Envelope<'_>) -> Request {
    Request { headers: Vec::new(), body: document(envelope).to_string() }
}

fn document(envelope: Envelope<'_>) -> Value {
    let headline = cut(&envelope.headline(), HEADER);
    let mut blocks =
        vec![json!({ "type": "header", "text": { "type": "plain_text", "text": headline, "emoji": false } })];
    for alert in envelope.described() {
        // As text: Slack opens web links only, and this one can be copied.
        let link = envelope.origin.link(alert);
        let text = format!("*{}* {} `{link}`", alert.label(), escaped(&cut(&sentences(alert), SECTION)));
        blocks.push(json!({ "type": "section", "text": { "type": "mrkdwn", "text": text } }));
    }
    let mut foot = format!(
        "Account {} · {} · {}",
        envelope.origin.account,
        escaped(envelope.origin.connection),
        escaped(&envelope.origin.next_step())
    );
    if envelope.left_out() > 0 {
        foot += &format!(" · {} more alerts", envelope.left_out());
    }
    if envelope.notification.may_be_repeat {
        foot += " · This message may be a repeat: an earlier attempt got no answer.";
    }
    blocks.push(json!({ "type": "context", "elements": [{ "type": "mrkdwn", "text": foot }] }));
    json!({ "text": escaped(&headline), "blocks": blocks })
}

/// Escapes the three characters with which Slack begins links and mentions.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use liftdeck_model::notification::Telling;

    use super::*;
    use crate::payload::fixture;

    #[test]
    fn a_name_with_a_mention_in_it_calls_nobody() {
        let mut alert = fixture::alert("alert-1", Telling::Fired);
        alert.title = "<!channel> & co".to_owned();
        let notification = fixture::of(vec![alert]);
        let body = document(fixture::envelope(&notification)).to_string();
        assert!(body.contains("&lt;!channel&gt; &amp; co"), "{body}");
        // A header is plain text, in which Slack reads no markup.
        assert_eq!(body.matches("<!channel>").count(), 1, "{body}");
    }

    #[test]
    fn a_large_group_stays_within_the_limits_and_a_repeat_says_so() {
        let mut alerts: Vec<_> =
            (0..70).map(|at| fixture::alert(&format!("alert-{at}"), Telling::Fired)).collect();
        alerts[0].detail = "&".repeat(9_000);
        alerts[0].title = "x".repeat(400);
        let mut notification = fixture::of(alerts);
        notification.may_be_repeat = true;
        let body = document(fixture::envelope(&notification));
        let blocks = body["blocks"].as_array().unwrap();
        assert!(blocks.len() <= 50);
        assert!(blocks[0]["text"]["text"].as_str().unwrap().chars().count() <= 150);
        let foot = blocks.last().unwrap()["elements"][0]["text"].as_str().unwrap();
        assert!(foot.contains("50 more alerts") && foot.contains("may be a repeat"), "{foot}");
    }
}
