//! What the database of a place knows of the things a command names: ids of names, and Regions of ids.
//!
//! Owns that a Region has to be named only where neither the id, the connection nor the database tells it. Only reads.

use liftdeck_model::{PlacementId, Region, TicketId};
use liftdeck_store::Reader;

use super::super::names::{Names, Noun};
use super::super::{Caller, Failure, database};
use super::ids::{id_of, region_of};
use super::{Place, Where};
use liftdeck_app::clock;

impl Where {
    /// Looks the place up, and what its database calls things. Nobody is asked.
    ///
    /// # Errors
    /// As of [`Self::find`]. A database that cannot be read knows no names; whoever opens it to write says why.
    pub(in crate::cli) async fn named(&self, caller: &Caller) -> Result<Place, Failure> {
        let mut place = self.find(caller)?;
        let names =
            place.on_record(async |reader: Reader| Names::read(&reader, clock::now()).await.ok()).await;
        place.names = names.unwrap_or_default();
        Ok(place)
    }
}

impl Place {
    /// Home Region and id of what is named by id, ARN or exact name.
    ///
    /// # Errors
    /// `usage` when several are called so, or when nothing tells the Region.
    pub(in crate::cli) fn meant(&self, noun: Noun, text: &str) -> Result<(Region, String), Failure> {
        self.meant_in(noun, text, None)
    }

    /// The same among those of one Region, where it is known.
    ///
    /// # Errors
    /// As of [`Self::meant`].
    pub(in crate::cli) fn meant_in(
        &self,
        noun: Noun,
        text: &str,
        region: Option<&Region>,
    ) -> Result<(Region, String), Failure> {
        let id = id_of(text);
        let region = region_of(text).or_else(|| region.cloned()).or_else(|| self.region_named());
        let known = self.names.meant(noun, id, region.as_ref().map(Region::as_str))?;
        match (known, region) {
            (Some(known), _) => Ok((Region::from(known.region.as_str()), known.id.clone())),
            (None, Some(region)) => Ok((region, id.to_owned())),
            (None, None) => Ok((self.region_for(text)?, id.to_owned())),
        }
    }

    /// The ARN of a fleet or an alias that is named by ARN, id or exact name.
    ///
    /// # Errors
    /// `usage` when several are called so, or nothing is.
    pub(in crate::cli) fn destination(&self, text: &str, region: &Region) -> Result<String, Failure> {
        if text.starts_with("arn:") {
            return Ok(text.to_owned());
        }
        // A destination may lie in any Region; one of the queue's own is meant first.
        for region in [Some(region.as_str()), None] {
            for noun in [Noun::Alias, Noun::Fleet] {
                if let Some(arn) = self.names.meant(noun, text, region)?.and_then(|known| known.arn.clone()) {
                    return Ok(arn);
                }
            }
        }
        Err(Failure::usage(format!(
            "No fleet or alias {text} was collected. Name the destination by its ARN."
        )))
    }

    /// The Region of a placement.
    ///
    /// # Errors
    /// `usage` when neither options nor events tell it.
    pub(in crate::cli) async fn region_of_placement(&self, id: &str) -> Result<Region, Failure> {
        let placement = PlacementId::from(id);
        let told = async |reader: Reader| {
            let story = reader.placement(&placement, clock::now()).await.ok().flatten();
            story.and_then(|story| story.events.into_iter().next_back()).map(|event| event.region)
        };
        match self.region_for(id) {
            Ok(region) => Ok(region),
            Err(failure) => self.on_record(told).await.ok_or(failure),
        }
    }

    /// The Region of a matchmaking ticket.
    ///
    /// # Errors
    /// `usage` when neither options nor events tell it.
    pub(in crate::cli) async fn region_of_ticket(&self, id: &str) -> Result<Region, Failure> {
        let ticket = TicketId::from(id);
        let told = async |reader: Reader| {
            for region in reader.regions().await.ok()? {
                if reader.ticket(&region, &ticket).await.ok()?.is_some() {
                    return Some(region);
                }
            }
            None
        };
        match self.region_for(id) {
            Ok(region) => Ok(region),
            Err(failure) => self.on_record(told).await.ok_or(failure),
        }
    }

    /// Asks the database: the one that is lent, or its file.
    async fn on_record<T>(&self, ask: impl AsyncFnOnce(Reader) -> Option<T>) -> Option<T> {
        if let Some(lent) = &self.lent {
            return ask(lent.reader.clone()).await;
        }
        let store = Box::pin(database::look(&self.database, clock::now())).await.ok()?;
        let told = ask(store.reader()).await;
        store.close().await;
        told
    }
}
