//! `liftdeck feed list` and `feed aside list`: adopted event queues, and what was set aside from them.

use clap::Args;
use liftdeck_model::feed::{Adoption, queue_name};
use liftdeck_store::reader::feed::AsideMessage;
use serde_json::json;

use crate::cli::Failure;
use crate::cli::look::ReadConnection;
use crate::cli::show::{Column, Question, Shown, Table, Tone, Total, at, cell, data, name, number, words};

/// All adopted queues.
#[derive(Debug, Args)]
pub(in crate::cli) struct List {}

/// How many messages to list.
#[derive(Debug, Args)]
pub(in crate::cli) struct Aside {
    /// At most this many
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    limit: u16,
}

const ADOPTED: &[Column<Adoption>] = &[
    words("queue_name", "QUEUE").of(|it| cell(queue_name(&it.queue_url))),
    words("region", "REGION").of(|it| cell(&it.region)),
    words("foreign_bodies", "OTHER MESSAGES").of(|it| name(it.foreign_bodies)),
    number("adopted_at", "ADOPTED").of(|it| at(it.adopted_at)),
    words("adopted_by", "BY").least(20).rank(2).of(|it| cell(&it.adopted_by)),
    words("halted", "HALTED").least(20).rank(1).of(|it| cell(&it.halted)),
    data("queue_url").of(|it| cell(&it.queue_url)),
    data("queue_arn").of(|it| cell(&it.queue_arn)),
];

const SET_ASIDE: &[Column<AsideMessage>] = &[
    number("received_at", "RECEIVED").of(|it| at(it.received_at)),
    words("queue_name", "QUEUE").rank(1).of(|it| cell(queue_name(&it.queue_url))),
    words("reason", "REASON").of(|it| name(it.reason)),
    number("bytes", "BYTES").rank(3).of(|it| cell(it.bytes)),
    words("detail", "DETAIL").least(16).rank(2).of(|it| cell(&it.detail)),
    words("body", "BODY").least(20).of(|it| cell(&it.body)),
    data("message_id").of(|it| cell(&it.message_id)),
    data("queue_url").of(|it| cell(&it.queue_url)),
    data("region").of(|it| cell(&it.region)),
];

impl Question for List {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let adopted: Vec<Adoption> = look.ask("feed_list", json!({})).await?;
        let table = Table::toned(ADOPTED, &adopted, |it| match it.halted {
            Some(_) => Tone::Bad,
            None => Tone::Plain,
        });
        Ok(Shown::whole(table, ("adopted queue", "adopted queues"), None))
    }
}

impl Question for Aside {
    async fn answer(&self, look: &ReadConnection) -> Result<Shown, Failure> {
        let (limit, mut all) = (usize::from(self.limit), Vec::<AsideMessage>::new());
        // Reads one more than is shown, to know whether there are more.
        while all.len() <= limit {
            let below = all.last().map(|it| it.key);
            let more: Vec<AsideMessage> = look.ask("feed_aside", json!({ "below": below })).await?;
            if more.is_empty() {
                break;
            }
            all.extend(more);
        }
        let is_exact = all.len() <= limit;
        all.truncate(limit);
        let table = Table::of(SET_ASIDE, &all);
        let noun = ("message set aside", "messages set aside");
        let total = Total { noun, all: table.count(), is_exact };
        Ok(Shown::list(table, total, None))
    }
}
