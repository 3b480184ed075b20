//! Tags of resources.

use super::constraint::RESOURCE_ARN;
use super::lookup::{self, not_found};
use crate::operation::Call;
use crate::service::ServiceError;
use crate::wire::{Wire, Writer, in_place, input, structure};

input! {
    struct TagsInput {
        resource: String = required("ResourceARN", RESOURCE_ARN),
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
