//! Tags of resources, changed by hand.
//!
//! Owns the change only. The modules that create resources decide which ones carry tags.

use std::collections::BTreeMap;

use super::World;

impl World {
    /// The tags of a resource by its ARN, to be changed; `None` if there is no such resource.
    pub fn tags_mut(&mut self, region: &str, arn: &str) -> Option<&mut BTreeMap<String, String>> {
        self.regions.iter_mut().find(|known| known.name == region)?.tags.get_mut(arn)
    }
}
