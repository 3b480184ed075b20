//! Tags of resources.

use std::collections::BTreeMap;

use super::constraint::RESOURCE_ARN;
use super::listing;
use super::lookup::{self, not_found};
use crate::operation::{Call, Change};
use crate::service::ServiceError;
use crate::wire::{Items, Nested, Text, Wire, Writer, in_place, input, structure};

/// The most tags one resource can have (A16, TagList).
const MOST_TAGS: usize = 200;

/// How the keys of tags begin that only AWS can set (AWS General Reference, tag naming).
const RESERVED: &str = "aws:";

static KEY: Text = Text::length(1, 128);
static VALUE: Text = Text::length(0, 256);
static KEYS: Items<'_, Text> = Items { each: &KEY, min: 0, max: MOST_TAGS };
static TAG: Nested<NewTag> = Nested::new();
/// A list of tags, as every operation takes it that makes a resource.
pub(super) static TAGS: Items<'_, Nested<NewTag>> = Items { each: &TAG, min: 0, max: MOST_TAGS };

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

/// The tags a resource is made with, by key.
pub(super) fn by_key(tags: Option<Vec<NewTag>>) -> BTreeMap<String, String> {
    tags.into_iter().flatten().map(|tag| (tag.key, tag.value)).collect()
}

/// `TagResource`: adds tags and overwrites those with the same key.
pub(super) fn tag(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: TagInput = lookup::read(&change.call())?;
    let tags = change.world.tags_mut(change.region, &input.resource);
    let tags = tags.ok_or_else(|| not_found("Resource", &input.resource))?;
    let added = by_key(Some(input.tags));
    if let Some(reserved) = added.keys().find(|key| key.starts_with(RESERVED)) {
        let message = format!("Tag key {reserved} begins with {RESERVED}, which is reserved.");
        return Err(ServiceError::new("TaggingFailedException", message));
    }
    let total = tags.len() + added.keys().filter(|key| !tags.contains_key(*key)).count();
    if total > MOST_TAGS {
        let message = format!("A resource can have at most {MOST_TAGS} tags; this one would have {total}.");
        return Err(ServiceError::new("TaggingFailedException", message));
    }
    tags.extend(added);
    listing::write_empty(writer);
    Ok(())
}

/// `UntagResource`: takes tags away; keys that are not there are no error.
pub(super) fn untag(change: &mut Change<'_>, writer: &mut Writer) -> Result<(), ServiceError> {
    let input: UntagInput = lookup::read(&change.call())?;
    let tags = change.world.tags_mut(change.region, &input.resource);
    let tags = tags.ok_or_else(|| not_found("Resource", &input.resource))?;
    tags.retain(|key, _| !input.keys.contains(key));
    listing::write_empty(writer);
    Ok(())
}
