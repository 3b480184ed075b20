//! Tags of resources.

use std::collections::BTreeMap;

use super::constraint::RESOURCE_ARN;
use super::listing;
use super::lookup::{self, not_found};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Items, Nested, Text, Wire, Writer, in_place, input, structure};

/// The most tags one request can name (A16, TagList).
const MOST_NAMED: usize = 200;

/// The most tags one resource can have (AWS General Reference, tag naming limits).
const MOST_TAGS: usize = 50;

/// The prefix of tag keys that only AWS can set, in upper or lower case (AWS General Reference, tag naming).
const RESERVED: &str = "aws:";

static KEY: Text = Text::length(1, 128);
static VALUE: Text = Text::length(0, 256);
static KEYS: Items<'_, Text> = Items { each: &KEY, min: 0, max: MOST_NAMED };
static TAG: Nested<NewTag> = Nested::new();
/// A list of tags, as taken by every operation that creates a resource.
pub(super) static TAGS: Items<'_, Nested<NewTag>> = Items { each: &TAG, min: 0, max: MOST_NAMED };

input! {
    struct TagsInput {
        resource: String = required("ResourceARN", RESOURCE_ARN),
    }

    /// A tag to set.
    pub(super) struct NewTag {
        key: String = required("Key", KEY),
        value: String = required("Value", VALUE),
    }

    struct TagInput {
        resource: String = required("ResourceARN", RESOURCE_ARN),
        tags: Vec<NewTag> = required("Tags", TAGS),
    }

    struct UntagInput {
        resource: String = required("ResourceARN", RESOURCE_ARN),
        keys: Vec<String> = required("TagKeys", KEYS),
    }
}

/// One tag.
struct Tag<'a>(&'a str, &'a str);

structure!(Tag<'_>, tag, { "Key" => tag.0, "Value" => tag.1 });

/// `ListTagsForResource`.
pub(super) fn list(call: &Call<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: TagsInput = lookup::read(call)?;
    let tags = call.world.tags(call.region, &input.resource);
    let tags = tags.ok_or_else(|| not_found("Resource", &input.resource))?;
    let tags: Vec<Tag<'_>> = tags.iter().map(|(key, value)| Tag(key, value)).collect();
    in_place!({ "Tags" => tags }).write(writer);
    Ok(())
}

fn failed(message: impl std::fmt::Display) -> ServiceError {
    ServiceError::new("TaggingFailedException", message)
}

fn check_total(total: usize) -> Result<(), ServiceError> {
    if total <= MOST_TAGS {
        return Ok(());
    }
    Err(failed(format_args!("A resource can have at most {MOST_TAGS} tags; this one would have {total}.")))
}

/// Returns the tags of a new resource, by key.
///
/// # Errors
/// `TaggingFailedException` when there are too many tags, when a key is reserved for AWS, or when a key is named
/// twice.
pub(super) fn by_key(tags: Option<Vec<NewTag>>) -> Result<BTreeMap<String, String>, ServiceError> {
    let tags = tags.unwrap_or_default();
    let mut named = BTreeMap::new();
    for NewTag { key, value } in tags {
        if key.get(..RESERVED.len()).is_some_and(|start| start.eq_ignore_ascii_case(RESERVED)) {
            return Err(failed(format_args!("Tag key {key} begins with {RESERVED}, which is reserved.")));
        }
        if named.contains_key(&key) {
            return Err(failed(format_args!("Tag key {key} is named more than once.")));
        }
        named.insert(key, value);
    }
    check_total(named.len())?;
    Ok(named)
}

/// `TagResource`: adds tags and overwrites those with the same key.
pub(super) fn tag(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: TagInput = lookup::read(&change.call())?;
    let tags = change.world.tags_mut(change.region, &input.resource);
    let tags = tags.ok_or_else(|| not_found("Resource", &input.resource))?;
    let added = by_key(Some(input.tags))?;
    check_total(tags.len() + added.keys().filter(|key| !tags.contains_key(*key)).count())?;
    tags.extend(added);
    listing::write_empty(writer);
    Ok(())
}

/// `UntagResource`: removes tags; keys that do not exist are not an error.
pub(super) fn untag(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: UntagInput = lookup::read(&change.call())?;
    let tags = change.world.tags_mut(change.region, &input.resource);
    let tags = tags.ok_or_else(|| not_found("Resource", &input.resource))?;
    tags.retain(|key, _| !input.keys.contains(key));
    listing::write_empty(writer);
    Ok(())
}
