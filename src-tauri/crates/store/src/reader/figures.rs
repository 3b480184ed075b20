//! The newest figures of every fleet location, combined from capacity, utilization and live game sessions.

use std::collections::{BTreeMap, HashMap};

use liftdeck_model::Location;
use liftdeck_model::fleet::{Fleet, FleetCapacity, FleetLocation, FleetUtilization};
use sqlx::QueryBuilder;

use super::Reader;
use super::directory::Directory;
use super::fleet::{CountedFrom, LocationFigures};
use super::resource::Document;
use crate::column::Columns as _;
use crate::error::StoreError;

/// Figures by fleet key and location.
pub(crate) type Figures = HashMap<i64, BTreeMap<Location, LocationFigures>>;

impl Reader {
    /// The figures of `fleets`, which are all fleets unless `only` names one.
    pub(crate) async fn figures(
        &self,
        directory: &Directory,
        fleets: &[Document<Fleet>],
        only: Option<i64>,
    ) -> Result<Figures, StoreError> {
        let mut figures = Figures::new();
        for location in self.documents::<FleetLocation>("fleet_location", only).await? {
            if location.gone_at.is_none() {
                let here = at(&mut figures, location.owner_key, &location.record.location);
                here.attributes = Some(location.record);
            }
        }
        self.add_capacity(directory, only, &mut figures).await?;
        self.add_utilization(directory, only, &mut figures).await?;
        self.add_live_sessions(directory, fleets, &mut figures).await?;
        Ok(figures)
    }

    async fn add_capacity(
        &self,
        directory: &Directory,
        only: Option<i64>,
        figures: &mut Figures,
    ) -> Result<(), StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT fleet_key, location_key, desired, minimum, maximum, pending, active, idle, terminating, \
             zero_capacity_strategy, container_groups FROM fleet_capacity",
        );
        if let Some(key) = only {
            sql.push(" WHERE fleet_key = ").push_bind(key);
        }
        for row in sql.build().fetch_all(self.pool()).await? {
            let key: i64 = row.read("fleet_key")?;
            let location = directory.location_or_home(row.read("location_key")?, key);
            let here = at(figures, key, &location);
            here.capacity = Some(FleetCapacity {
                fleet_id: directory.fleet_id(key),
                desired: row.read("desired")?,
                minimum: row.read("minimum")?,
                maximum: row.read("maximum")?,
                pending: row.read("pending")?,
                active: row.read("active")?,
                idle: row.read("idle")?,
                terminating: row.read("terminating")?,
                zero_capacity_strategy: row.read("zero_capacity_strategy")?,
                container_groups: row.json_or_none("container_groups")?,
                location,
            });
        }
        Ok(())
    }

    async fn add_utilization(
        &self,
        directory: &Directory,
        only: Option<i64>,
        figures: &mut Figures,
    ) -> Result<(), StoreError> {
        let mut sql = QueryBuilder::new(
            "SELECT fleet_key, location_key, active_server_process_count, active_game_session_count, \
             current_player_session_count, maximum_player_session_count FROM fleet_utilization",
        );
        if let Some(key) = only {
            sql.push(" WHERE fleet_key = ").push_bind(key);
        }
        for row in sql.build().fetch_all(self.pool()).await? {
            let key: i64 = row.read("fleet_key")?;
            let location = directory.location_or_home(row.read("location_key")?, key);
            let load = FleetUtilization {
                fleet_id: directory.fleet_id(key),
                active_server_process_count: row.read("active_server_process_count")?,
                active_game_session_count: row.read("active_game_session_count")?,
                current_player_session_count: row.read("current_player_session_count")?,
                maximum_player_session_count: row.read("maximum_player_session_count")?,
                location,
            };
            let here = at(figures, key, &load.location);
            here.game_sessions = i64::from(load.active_game_session_count);
            here.player_sessions = i64::from(load.current_player_session_count);
            here.counted_from = CountedFrom::Utilization;
            here.utilization = Some(load);
        }
        Ok(())
    }

    /// Counts live game sessions of the fleets for which AWS reports no utilization.
    async fn add_live_sessions(
        &self,
        directory: &Directory,
        fleets: &[Document<Fleet>],
        figures: &mut Figures,
    ) -> Result<(), StoreError> {
        let counted: Vec<i64> = fleets
            .iter()
            .filter(|fleet| !fleet.record.kind.has_utilization() && fleet.gone_at.is_none())
            .filter_map(|fleet| directory.fleet_key(&fleet.record.fleet_id))
            .collect();
        if counted.is_empty() {
            return Ok(());
        }
        let mut sql = QueryBuilder::new(
            "SELECT fleet_key, location_key, count(*) AS sessions, sum(current_player_session_count) AS players \
             FROM game_session_state INDEXED BY game_session_live \
             WHERE live = 1 AND status IN (1, 2) AND fleet_key IN (",
        );
        let mut keys = sql.separated(", ");
        for key in counted {
            keys.push_bind(key);
        }
        sql.push(") GROUP BY fleet_key, location_key");
        for row in sql.build().fetch_all(self.pool()).await? {
            let key: i64 = row.read("fleet_key")?;
            let here = at(figures, key, &directory.location_or_home(row.read("location_key")?, key));
            here.game_sessions = row.read("sessions")?;
            here.player_sessions = row.read("players")?;
        }
        Ok(())
    }
}

fn at<'f>(figures: &'f mut Figures, fleet_key: i64, location: &Location) -> &'f mut LocationFigures {
    figures.entry(fleet_key).or_default().entry(location.clone()).or_insert_with(|| LocationFigures {
        location: location.clone(),
        attributes: None,
        capacity: None,
        utilization: None,
        game_sessions: 0,
        player_sessions: 0,
        counted_from: CountedFrom::GameSessions,
    })
}
