//! What a connection's database knows about the resources that a command names: the ids of names, and the Regions of ids.
//!
//! Owns the rule that a Region has to be named only if neither the id, the connection nor the database gives it. Only
//! reads.

use liftdeck_model::Region;
use liftdeck_model::action::{Action, Request};
use liftdeck_model::query::Query;
use liftdeck_store::Reader;
use liftdeck_store::reader::session::SessionRequest;
use liftdeck_store::reader::window::Page;

use super::super::names::{Names, Noun};
use super::super::{Caller, Failure, database};
use super::{ChosenConnection, ConnectionOptions, several};
use liftdeck_app::clock;

impl ConnectionOptions {
    /// Looks up the connection and the names in its database. Asks neither AWS nor a person.
    ///
    /// # Errors
    /// As for [`Self::find`]. A database that cannot be read gives no names; opening it for writing reports why.
    pub(in crate::cli) async fn named(&self, caller: &Caller) -> Result<ChosenConnection, Failure> {
        let mut chosen = self.find(caller)?;
        let names =
            chosen.on_record(async |reader: Reader| Names::read(&reader, clock::now()).await.ok()).await;
        chosen.names = names.unwrap_or_default();
        Ok(chosen)
    }
}

impl ChosenConnection {
    /// The home Region and id of a resource that is named by id, ARN or exact name.
    ///
    /// # Errors
    /// `usage` when several have this name, or when the Region is unknown.
    pub(in crate::cli) fn meant(&self, noun: Noun, text: &str) -> Result<(Region, String), Failure> {
        self.meant_in(noun, text, None)
    }

    /// The same, limited to one Region if it is known.
    ///
    /// # Errors
    /// As for [`Self::meant`].
    pub(in crate::cli) fn meant_in(
        &self,
        noun: Noun,
        text: &str,
        region: Option<&Region>,
    ) -> Result<(Region, String), Failure> {
        let region = region.cloned().or_else(|| self.region_named());
        match self.names.place(noun, text, region)? {
            (Some(region), id) => Ok((region, id)),
            (None, id) => {
                let region = self.region_for(text).map_err(|failure| {
                    Failure::usage(format!("No {} {text} was collected. {failure}", noun.one()))
                })?;
                Ok((region, id))
            }
        }
    }

    /// Builds a change for each resource that is named; `-` stands for names from stdin.
    ///
    /// # Errors
    /// As for [`Self::meant`], and when none is named.
    pub(in crate::cli) fn each(
        &self,
        caller: &Caller,
        noun: Noun,
        named: &[String],
        request: impl Fn(String) -> Request,
    ) -> Result<Vec<Action>, Failure> {
        let one = |text: &String| {
            let (region, id) = self.meant(noun, text)?;
            Ok(Action { region, request: request(id) })
        };
        several(caller, named)?.iter().map(one).collect()
    }

    /// The ARN of a fleet or an alias that is named by ARN, id or exact name.
    ///
    /// # Errors
    /// `usage` when several have this name, or none has.
    pub(in crate::cli) fn destination(&self, text: &str, region: &Region) -> Result<String, Failure> {
        self.names.destination(text, region)?.ok_or_else(|| {
            Failure::usage(format!(
                "No fleet or alias {text} was collected. Name the destination by its ARN."
            ))
        })
    }

    /// The ARNs of the game sessions that match a query and had not ended when they were last read.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(in crate::cli) async fn live_game_sessions(&self, query: &Query) -> Result<Vec<String>, Failure> {
        let live = Query::parse("ended:none").map_err(|error| Failure::new(error.to_string()))?;
        let query = query.clone().and(live);
        let found = async |reader: Reader| {
            let mut ids = Vec::new();
            loop {
                let offset = u32::try_from(ids.len()).ok()?;
                let page = Page { offset, limit: Page::MOST };
                let (query, sort) = (query.clone(), None);
                let request = SessionRequest { query, fleet: None, location: None, range: None, sort, page };
                let (window, _) = reader.game_sessions(&request, clock::now()).await.ok()?;
                if window.rows.is_empty() {
                    return Some(ids);
                }
                ids.extend(window.rows.into_iter().map(|row| row.game_session_id.into_string()));
            }
        };
        self.on_record(found).await.ok_or_else(|| {
            let database = self.database().display();
            Failure::new(format!(
                "Nothing was sent: {database} could not be read, so that nothing is known to match."
            ))
        })
    }

    /// The Region of a placement.
    ///
    /// # Errors
    /// `usage` when neither the options nor the events give it.
    pub(in crate::cli) async fn region_of_placement(&self, id: &str) -> Result<Region, Failure> {
        self.region_on_record(id, async |reader| reader.region_of_placement(&id.into()).await.ok()?).await
    }

    /// The Region of a matchmaking ticket.
    ///
    /// # Errors
    /// `usage` when neither the options nor the events give it.
    pub(in crate::cli) async fn region_of_ticket(&self, id: &str) -> Result<Region, Failure> {
        self.region_on_record(id, async |reader| reader.region_of_ticket(&id.into()).await.ok()?).await
    }

    /// The Region that the id or the options give, or else the one that is told by the database.
    async fn region_on_record(
        &self,
        id: &str,
        told: impl AsyncFnOnce(Reader) -> Option<Region>,
    ) -> Result<Region, Failure> {
        match self.region_for(id) {
            Ok(region) => Ok(region),
            Err(failure) => self.on_record(told).await.ok_or(failure),
        }
    }

    /// Queries the database: the one that is shared, or else its file.
    async fn on_record<T>(&self, ask: impl AsyncFnOnce(Reader) -> Option<T>) -> Option<T> {
        if let Some(shared) = &self.shared {
            return ask(shared.reader.clone()).await;
        }
        let store = Box::pin(database::look(&self.database, clock::now())).await.ok()?;
        let told = ask(store.reader()).await;
        store.close().await;
        told
    }
}
