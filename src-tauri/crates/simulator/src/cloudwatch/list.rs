//! `ListMetrics`: which metrics exist.

use super::{DimensionInput, NAMESPACE, TEXT_255, read};
use crate::operation::Call;
use crate::page::cut;
use crate::service::ServiceError;
use crate::wire::{Bool, Items, Nested, Text, Writer, input, structure};
use liftdeck_simulated_world::MetricIdentity;

/// The page size; the operation has no limit of its own.
const PAGE: usize = 500;

static RECENTLY: Text = Text::one_of(&["PT3H"]);

input! {
    struct ListInput {
        namespace: Option<String> = optional("Namespace", TEXT_255),
        name: Option<String> = optional("MetricName", TEXT_255),
        dimensions: Option<Vec<DimensionInput>> =
            optional("Dimensions", Items { each: &Nested::<DimensionInput>::new(), min: 0, max: 10 }),
        token: Option<String> = optional("NextToken", Text::any()),
        recently: Option<String> = optional("RecentlyActive", RECENTLY),
        _linked: Option<bool> = optional("IncludeLinkedAccounts", Bool),
    }
}

/// One dimension.
struct Dimension<'a>(&'a str, &'a str);

structure!(Dimension<'_>, dimension, { "Name" => dimension.0, "Value" => dimension.1 });

structure!(MetricIdentity, metric, {
    "Namespace" => NAMESPACE,
    "MetricName" => metric.name,
    "Dimensions" => metric
        .dimensions
        .iter()
        .map(|(name, value)| Dimension(name, value))
        .collect::<Vec<_>>(),
});

fn fits(input: &ListInput, metric: &MetricIdentity) -> bool {
    let has = |filter: &DimensionInput| {
        metric.dimensions.iter().any(|(name, value)| {
            *name == filter.name && filter.value.as_ref().is_none_or(|asked| asked == value)
        })
    };
    input.namespace.as_deref().is_none_or(|namespace| namespace == NAMESPACE)
        && input.name.as_ref().is_none_or(|name| *name == metric.name)
        && input.dimensions.iter().flatten().all(has)
}

/// The period that `RecentlyActive=PT3H` covers.
const RECENT_MS: i64 = 3 * 3_600_000;

/// Answers `ListMetrics`. A filter on one dimension also lists metrics with more dimensions.
pub(super) fn list(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: ListInput = read(call)?;
    let after = call.cursor(input.token.as_deref(), "InvalidNextToken")?;
    let metrics = call.world.metrics();
    let metrics = match input.recently {
        Some(_) => metrics.list_since(call.region, call.world.now_ms() - RECENT_MS),
        None => metrics.list(call.region),
    };
    let metrics = metrics.into_iter().map(|metric| {
        let dimensions = metric.dimensions.iter().map(|(name, value)| format!(" {name}={value}"));
        (format!("{}{}", metric.name, dimensions.collect::<String>()), metric)
    });
    let page =
        cut(metrics, |(key, _)| key.as_str(), |(_, metric)| fits(&input, metric), after.as_deref(), PAGE);
    writer.open_map();
    writer.member("Metrics", &page.items.iter().map(|(_, metric)| metric).collect::<Vec<_>>());
    writer.member("NextToken", &call.next_token(&page));
    writer.close_map();
    Ok(())
}
