//! The account's instance limits, and where fleets have instances.

use liftdeck_model::fleet::InstanceLimit;
use liftdeck_model::{Location, Region};

use super::Reader;
use crate::column::Columns as _;
use crate::error::StoreError;

/// A location in which fleets of a Region have capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstancePlace {
    /// Location.
    pub location: Location,
    /// Whether a fleet there desires more instances than are ACTIVE or PENDING.
    pub lacks: bool,
}

impl Reader {
    /// Where fleets of a Region have capacity, by location.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn instance_places(&self, region: &Region) -> Result<Vec<InstancePlace>, StoreError> {
        let rows = sqlx::query(
            "SELECT location.name AS location, max(c.desired > c.active + c.pending) AS lacks \
             FROM fleet JOIN fleet_capacity c USING (fleet_key) JOIN location USING (location_key) \
             WHERE fleet.region_key = (SELECT region_key FROM region WHERE name = ?) AND fleet.gone_at IS NULL \
             GROUP BY location.name ORDER BY location.name",
        );
        let rows = rows.bind(region.as_str()).fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                Ok(InstancePlace {
                    location: Location::new(row.read::<String>("location")?),
                    lacks: row.read("lacks")?,
                })
            })
            .collect()
    }

    /// The limits of every Region, as last answered, each with its home Region.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn instance_limits(&self) -> Result<Vec<(Region, InstanceLimit)>, StoreError> {
        let rows = sqlx::query(
            "SELECT region.name AS region, location.name AS location, instance_type, current, most \
             FROM instance_limit JOIN region USING (region_key) JOIN location USING (location_key) \
             ORDER BY region.name, location.name, instance_type",
        );
        let rows = rows.fetch_all(self.pool()).await?;
        rows.iter()
            .map(|row| {
                let limit = InstanceLimit {
                    instance_type: row.read("instance_type")?,
                    location: Location::new(row.read::<String>("location")?),
                    current: row.read("current")?,
                    limit: row.read("most")?,
                };
                Ok((Region::new(row.read::<String>("region")?), limit))
            })
            .collect()
    }
}
