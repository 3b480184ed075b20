//! Names in place of ids: what a name means among the fleets, aliases, queues and scripts that were collected.
//!
//! Owns the rules that an exact name works wherever an id does, and that a name shared by several resources means none
//! of them. A name or id that was not collected is passed on unchanged: it may be newer than what was collected.

use liftdeck_model::arn::{id_of, region_of};
use liftdeck_model::{Region, Timestamp};
use liftdeck_store::{Reader, StoreError};

/// A resource with an id and a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Id.
    pub id: String,
    /// Name; the id if it has none.
    pub name: String,
    /// Home Region.
    pub region: String,
    /// ARN, where it is known and of use.
    pub arn: Option<String>,
}

/// A kind of resource that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// A fleet.
    Fleet,
    /// An alias.
    Alias,
    /// A queue; its name is its id.
    Queue,
    /// A Realtime script.
    Script,
}

impl Noun {
    /// Its word for one.
    pub const fn one(self) -> &'static str {
        match self {
            Self::Fleet => "fleet",
            Self::Alias => "alias",
            Self::Queue => "queue",
            Self::Script => "script",
        }
    }

    /// Its word for several.
    pub const fn several(self) -> &'static str {
        match self {
            Self::Fleet => "fleets",
            Self::Alias => "aliases",
            Self::Queue => "queues",
            Self::Script => "scripts",
        }
    }
}

/// A name that several resources have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Several {} are called {name}: {}.", .noun.several(), .places.join(", "))]
pub struct SharedName {
    /// What they are.
    pub noun: Noun,
    /// The name.
    pub name: String,
    /// Each of them, as `id in Region`.
    pub places: Vec<String>,
}

/// The names in a database.
#[derive(Clone, Debug, Default)]
pub struct Names {
    fleets: Vec<Named>,
    aliases: Vec<Named>,
    queues: Vec<Named>,
    scripts: Vec<Named>,
}

impl Names {
    /// Reads the names of everything that still exists.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn read(reader: &Reader, now: Timestamp) -> Result<Self, StoreError> {
        let fleets = reader.fleet_summaries(now).await?.into_iter().filter(|fleet| fleet.gone_at.is_none());
        let (aliases, _) = reader.aliases(now).await?;
        let (queues, _) = reader.queues(now).await?;
        let (scripts, _) = reader.scripts(now).await?;
        Ok(Self {
            fleets: fleets
                .map(|it| {
                    let fleet = it.fleet;
                    Named::of(fleet.fleet_id.as_str(), fleet.display_name(), fleet.region.as_str())
                        .with_arn(fleet.fleet_arn)
                })
                .collect(),
            aliases: aliases
                .into_iter()
                .map(|it| {
                    let alias = it.alias;
                    Named::of(alias.alias_id.as_str(), &alias.name, alias.region.as_str())
                        .with_arn(alias.alias_arn)
                })
                .collect(),
            queues: queues
                .iter()
                .map(|it| Named::of(it.queue.name.as_str(), it.queue.name.as_str(), it.queue.region.as_str()))
                .collect(),
            scripts: scripts
                .iter()
                .map(|it| {
                    let id = it.script.script_id.as_str();
                    Named::of(id, it.script.name.as_deref().unwrap_or(id), it.script.region.as_str())
                })
                .collect(),
        })
    }

    /// All resources of a kind.
    pub fn all(&self, noun: Noun) -> &[Named] {
        match noun {
            Noun::Fleet => &self.fleets,
            Noun::Alias => &self.aliases,
            Noun::Queue => &self.queues,
            Noun::Script => &self.scripts,
        }
    }

    /// Finds the resource with this id or exact name, in this Region if one is given. `None` if there is none.
    ///
    /// # Errors
    /// When several have this name.
    pub fn meant(&self, noun: Noun, text: &str, region: Option<&str>) -> Result<Option<&Named>, SharedName> {
        one_of(noun, self.all(noun), Named::words, text, region)
    }

    /// The home Region, if it is known, and the id of a resource that is named by id, ARN or exact name. `region` is
    /// where it is looked for unless an ARN says so itself.
    ///
    /// # Errors
    /// When several have this name.
    pub fn place(
        &self,
        noun: Noun,
        text: &str,
        region: Option<Region>,
    ) -> Result<(Option<Region>, String), SharedName> {
        let (id, region) = (id_of(text), region_of(text).or(region));
        Ok(match self.meant(noun, id, region.as_ref().map(Region::as_str))? {
            Some(known) => (Some(Region::from(known.region.as_str())), known.id.clone()),
            None => (region, id.to_owned()),
        })
    }

    /// The ARN of a fleet or an alias that is named by ARN, id or exact name; `None` if none was collected. One in
    /// `region` comes before those elsewhere: a queue's destination may be in any Region.
    ///
    /// # Errors
    /// When several have this name.
    pub fn destination(&self, text: &str, region: &Region) -> Result<Option<String>, SharedName> {
        if text.starts_with("arn:") {
            return Ok(Some(text.to_owned()));
        }
        for region in [Some(region.as_str()), None] {
            for noun in [Noun::Alias, Noun::Fleet] {
                if let Some(arn) = self.meant(noun, text, region)?.and_then(|known| known.arn.clone()) {
                    return Ok(Some(arn));
                }
            }
        }
        Ok(None)
    }
}

impl Named {
    /// A resource without an ARN.
    pub fn of(id: &str, name: &str, region: &str) -> Self {
        let [id, name, region] = [id, name, region].map(str::to_owned);
        Self { id, name, region, arn: None }
    }

    fn with_arn(self, arn: Option<String>) -> Self {
        Self { arn, ..self }
    }

    fn words(&self) -> [&str; 3] {
        [&self.id, &self.name, &self.region]
    }
}

/// Finds the one with this id or exact name among `all`, in this Region if one is given; `words` returns the id, name
/// and Region of each. `None` if there is none.
///
/// # Errors
/// When several have this name.
pub fn one_of<'a, T>(
    noun: Noun,
    all: &'a [T],
    words: impl Fn(&T) -> [&str; 3],
    text: &str,
    region: Option<&str>,
) -> Result<Option<&'a T>, SharedName> {
    let fits = |one: &&T| region.is_none_or(|region| words(one)[2] == region);
    let by = |word: usize| all.iter().filter(fits).filter(|one| words(one)[word] == text).collect::<Vec<_>>();
    let by_id = by(0);
    match if by_id.is_empty() { by(1) } else { by_id }.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several => {
            let place = |one: &&T| {
                let [id, _, region] = words(one);
                format!("{id} in {region}")
            };
            Err(SharedName { noun, name: text.to_owned(), places: several.iter().map(place).collect() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let arn = |id: &str| Some(format!("arn:aws:gamelift:eu-west-1::fleet/{id}"));
        let fleets = vec![
            Named::of("fleet-1", "arena", "eu-west-1").with_arn(arn("fleet-1")),
            Named::of("fleet-2", "arena", "us-east-1").with_arn(arn("fleet-2")),
            Named::of("fleet-3", "duel", "eu-west-1").with_arn(arn("fleet-3")),
            Named::of("fleet-4", "fleet-1", "us-east-1"),
        ];
        Names { fleets, ..Names::default() }
    }

    #[test]
    fn an_id_comes_before_a_name_and_a_name_must_be_the_only_one() {
        let all = names();
        let meant = |text: &str, region| {
            all.meant(Noun::Fleet, text, region).map(|one| one.map(|one| one.id.as_str()))
        };
        assert_eq!(meant("duel", None).unwrap(), Some("fleet-3"));
        assert_eq!(meant("fleet-1", None).unwrap(), Some("fleet-1"), "another fleet is called so");
        assert_eq!(meant("arena", Some("us-east-1")).unwrap(), Some("fleet-2"));
        assert_eq!(meant("aren", None).unwrap(), None, "only the exact name");
        assert_eq!(
            meant("arena", None).unwrap_err().to_string(),
            "Several fleets are called arena: fleet-1 in eu-west-1, fleet-2 in us-east-1."
        );
    }

    #[test]
    fn the_region_is_that_of_the_arn_or_of_what_was_collected_or_the_one_given() {
        let all = names();
        let place = |text: &str, region: Option<&str>| {
            let (region, id) = all.place(Noun::Fleet, text, region.map(Region::from)).unwrap();
            (region.map(Region::into_string).unwrap_or_default(), id)
        };
        let is = |region: &str, id: &str| (region.to_owned(), id.to_owned());
        assert_eq!(place("duel", None), is("eu-west-1", "fleet-3"));
        assert_eq!(place("arn:aws:gamelift:ap-south-1::fleet/fleet-9", None), is("ap-south-1", "fleet-9"));
        assert_eq!(place("fleet-9", Some("us-east-1")), is("us-east-1", "fleet-9"));
        assert_eq!(place("fleet-9", None), is("", "fleet-9"));
    }

    #[test]
    fn a_destination_in_the_queues_own_region_comes_first() {
        let (all, here) = (names(), Region::from("us-east-1"));
        let destination = |text: &str| all.destination(text, &here).unwrap();
        assert!(destination("arena").is_some_and(|arn| arn.ends_with("fleet-2")));
        assert!(destination("duel").is_some_and(|arn| arn.ends_with("fleet-3")));
        assert_eq!(destination("arn:x").as_deref(), Some("arn:x"));
        assert_eq!(destination("other"), None);
    }
}
