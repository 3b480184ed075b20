//! Names in place of ids: the names and Regions of the fleets, aliases, queues and scripts in a database.
//!
//! Owns the rules that an exact name works wherever an id does, and that a name shared by several resources is
//! refused with their ids. A name or id that the database does not contain is passed on unchanged: it may be newer
//! than what was collected.

use liftdeck_model::Timestamp;
use liftdeck_model::arn::id_of;
use liftdeck_store::{Reader, StoreError};

use super::Failure;

/// A resource with an id and a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) region: String,
    pub(crate) arn: Option<String>,
}

/// A kind of resource, with its words for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noun {
    Fleet,
    Alias,
    Queue,
    Script,
}

impl Noun {
    const fn one(self) -> &'static str {
        match self {
            Self::Fleet => "fleet",
            Self::Alias => "alias",
            Self::Queue => "queue",
            Self::Script => "script",
        }
    }

    const fn several(self) -> &'static str {
        match self {
            Self::Fleet => "fleets",
            Self::Alias => "aliases",
            Self::Queue => "queues",
            Self::Script => "scripts",
        }
    }
}

/// The names in a database.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
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
    pub(crate) async fn read(reader: &Reader, now: Timestamp) -> Result<Self, StoreError> {
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
    pub(crate) fn all(&self, noun: Noun) -> &[Named] {
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
    /// `usage` when several have this name.
    pub(crate) fn meant(
        &self,
        noun: Noun,
        text: &str,
        region: Option<&str>,
    ) -> Result<Option<&Named>, Failure> {
        one_of(noun, self.all(noun), Named::words, text, region)
    }
}

impl Named {
    /// A resource without an ARN.
    pub(crate) fn of(id: &str, name: &str, region: &str) -> Self {
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

/// Finds the one with this id or exact name among `all`; `words` returns the id, name and Region of each.
///
/// # Errors
/// As for [`Names::meant`].
pub(crate) fn one_of<'a, T>(
    noun: Noun,
    all: &'a [T],
    words: impl Fn(&T) -> [&str; 3],
    text: &str,
    region: Option<&str>,
) -> Result<Option<&'a T>, Failure> {
    let fits = |one: &&T| region.is_none_or(|region| words(one)[2] == region);
    let by = |word: usize| all.iter().filter(fits).filter(|one| words(one)[word] == text).collect::<Vec<_>>();
    let by_id = by(0);
    match if by_id.is_empty() { by(1) } else { by_id }.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several => {
            let told =
                several.iter().map(|one| words(one)).map(|[id, _, region]| format!("{id} in {region}"));
            let choose = if noun == Noun::Queue {
                "Choose one with --region"
            } else {
                "Give the id, or the Region with --region"
            };
            Err(Failure::usage(format!(
                "Several {} are called {text}: {}. {choose}.",
                noun.several(),
                told.collect::<Vec<_>>().join(", ")
            )))
        }
    }
}

/// Finds the collected resource with this id, ARN or exact name.
///
/// # Errors
/// As for [`Names::meant`], and when there is none.
pub(crate) fn collected<'a, T>(
    noun: Noun,
    all: &'a [T],
    words: impl Fn(&T) -> [&str; 3],
    text: &str,
    region: Option<&str>,
) -> Result<&'a T, Failure> {
    one_of(noun, all, words, id_of(text), region)?.ok_or_else(|| {
        let one = noun.one();
        Failure::new(format!(
            "There is no {one} {text} in the collected data. `liftdeck {one} list` lists them all."
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fleets() -> Vec<Named> {
        vec![
            Named::of("fleet-1", "arena", "eu-west-1"),
            Named::of("fleet-2", "arena", "us-east-1"),
            Named::of("fleet-3", "duel", "eu-west-1"),
            Named::of("fleet-4", "fleet-1", "us-east-1"),
        ]
    }

    #[test]
    fn an_id_comes_before_a_name_and_a_name_must_be_the_only_one() {
        let all = fleets();
        let meant = |text: &str, region| {
            one_of(Noun::Fleet, &all, Named::words, text, region).map(|one| one.map(|one| one.id.as_str()))
        };
        assert_eq!(meant("duel", None).unwrap(), Some("fleet-3"));
        assert_eq!(meant("fleet-1", None).unwrap(), Some("fleet-1"), "another fleet is called so");
        assert_eq!(meant("arena", Some("us-east-1")).unwrap(), Some("fleet-2"));
        assert_eq!(meant("aren", None).unwrap(), None, "only the exact name");
        let refused = meant("arena", None).unwrap_err();
        assert!(refused.is_usage(), "{refused}");
        let text = refused.to_string();
        assert!(text.contains("fleet-1 in eu-west-1") && text.contains("fleet-2 in us-east-1"), "{text}");
    }
}
