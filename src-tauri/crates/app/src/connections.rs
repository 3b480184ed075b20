//! The connections file: the saved connections, which one was opened last, and files to give to a colleague.
//!
//! Contains no secret: credentials stay where the AWS profile has them. Keys that this version does not know are
//! kept.

mod doubt;

use std::path::PathBuf;

use liftdeck_gateway::EventQueue;
use liftdeck_model::{AccountId, Region, Timestamp};
use serde_json::{Map, Value};

pub use doubt::Doubt;

use crate::saved::{Described, HandedConnection, SavedConnection, VERSION};
use crate::settings::write_object;
use liftdeck_api::connection::{ConnectionDraft, ConnectionSummary};
use liftdeck_api::error::{AppError, ErrorKind};

/// The saved connections, as last read from their file.
#[derive(Debug)]
pub struct Connections {
    path: PathBuf,
    keys: Map<String, Value>,
    saved: Vec<SavedConnection>,
    doubt: Option<Doubt>,
}

impl Connections {
    /// Reads the file; an absent one contains no connections. Anything unreadable in it becomes a [`Doubt`].
    pub fn load(path: PathBuf) -> Self {
        let (keys, saved, doubt) = doubt::read(&path);
        Self { path, keys, saved, doubt }
    }

    /// Why the file cannot be relied on: it may contain more than is listed here.
    pub const fn doubt(&self) -> Option<&Doubt> {
        self.doubt.as_ref()
    }

    /// All connections by name.
    pub fn list(&self) -> Vec<ConnectionSummary> {
        let mut list: Vec<_> = self.saved.iter().map(SavedConnection::summary).collect();
        list.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| a.id.cmp(&b.id)));
        list
    }

    /// Finds a connection by id.
    pub fn get(&self, id: &str) -> Result<ConnectionSummary, AppError> {
        self.saved(id).map(SavedConnection::summary)
    }

    fn saved(&self, id: &str) -> Result<&SavedConnection, AppError> {
        self.saved.iter().find(|saved| saved.id == id).ok_or_else(|| {
            AppError::new(ErrorKind::NotFound, format!("There is no connection {id}.")).about(id)
        })
    }

    /// The most recently opened connection.
    pub fn last(&self) -> Option<ConnectionSummary> {
        let opened = self.saved.iter().filter(|saved| saved.last_opened_ms.is_some());
        opened.max_by_key(|saved| saved.last_opened_ms).map(SavedConnection::summary)
    }

    /// Adds a connection, or changes the one with this id. Returns what was saved.
    pub fn save(&mut self, id: Option<&str>, draft: ConnectionDraft) -> Result<ConnectionSummary, AppError> {
        let draft = checked(draft)?;
        let mut saved = self.saved.clone();
        let id = match id {
            Some(id) => self.get(id)?.id,
            None => self.free_id(&draft.name),
        };
        if saved.iter().any(|other| other.id != id && other.described.name == draft.name) {
            return Err(refused(format!("Another connection is already called {}.", draft.name)));
        }
        let described = Described::from(draft);
        let summary = match saved.iter_mut().find(|saved| saved.id == id) {
            Some(record) => {
                // Another profile or endpoint may belong to another account; it is learnt again on opening.
                let same = record.described.profile == described.profile
                    && record.described.endpoint_url == described.endpoint_url;
                record.account = record.account.take().filter(|_| same);
                record.described = described;
                record.summary()
            }
            None => {
                let (account, last_opened_ms, unknown) = (None, None, Map::new());
                let record = SavedConnection { id, described, account, last_opened_ms, unknown };
                let summary = record.summary();
                saved.push(record);
                summary
            }
        };
        self.write(saved)?;
        Ok(summary)
    }

    /// Records that a connection was opened and which account it belongs to.
    pub fn opened(&mut self, id: &str, account: Option<AccountId>, at: Timestamp) -> Result<(), AppError> {
        let mut saved = self.saved.clone();
        if let Some(record) = saved.iter_mut().find(|saved| saved.id == id) {
            record.last_opened_ms = Some(at.as_ms());
            if account.is_some() {
                record.account = account;
            }
        }
        self.write(saved)
    }

    /// Deletes a connection.
    pub fn delete(&mut self, id: &str) -> Result<(), AppError> {
        self.get(id)?;
        let kept = self.saved.iter().filter(|saved| saved.id != id).cloned().collect();
        self.write(kept)
    }

    /// Imports a connection file from a colleague.
    pub fn import(&mut self, json: &str) -> Result<ConnectionSummary, AppError> {
        let handed: HandedConnection = serde_json::from_str(json).map_err(|error| {
            refused(format!("This is not a connection file: {error}."))
                .remedy("Ask for the file that 'Export connection' writes.")
        })?;
        if handed.liftdeck_connection > VERSION {
            return Err(
                refused("This connection file was written by a newer Liftdeck.").remedy("Update Liftdeck.")
            );
        }
        let mut draft = ConnectionDraft::from(handed.described);
        let wanted = draft.name.clone();
        let taken = |name: &str| self.saved.iter().any(|saved| saved.described.name == name);
        let mut copy = 2;
        while taken(&draft.name) {
            draft.name = format!("{wanted} ({copy})");
            copy += 1;
        }
        self.save(None, draft)
    }

    /// Exports a connection as a file for a colleague.
    pub fn export(&self, id: &str) -> Result<String, AppError> {
        let described = self.saved(id)?.described.clone();
        serde_json::to_string_pretty(&HandedConnection { liftdeck_connection: VERSION, described })
            .map_err(|error| AppError::new(ErrorKind::Internal, error.to_string()))
    }

    /// Derives an unused id, which also names the database: the letters and digits of the connection's name, made
    /// unique.
    fn free_id(&self, name: &str) -> String {
        let words: Vec<String> = name
            .split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_ascii_lowercase)
            .collect();
        let stem = if words.is_empty() { "connection".to_owned() } else { words.join("-") };
        let mut id = stem.clone();
        let mut copy = 2;
        while self.saved.iter().any(|saved| saved.id == id) {
            id = format!("{stem}-{copy}");
            copy += 1;
        }
        id
    }

    fn write(&mut self, saved: Vec<SavedConnection>) -> Result<(), AppError> {
        if let Some(doubt) = &self.doubt {
            return Err(doubt.error());
        }
        let records = saved.iter().filter_map(|record| serde_json::to_value(record).ok());
        let mut keys = self.keys.clone();
        keys.insert("version".to_owned(), VERSION.into());
        keys.insert("connections".to_owned(), records.collect());
        write_object(&self.path, &keys)?;
        self.keys = keys;
        self.saved = saved;
        Ok(())
    }
}

fn refused(message: impl Into<Box<str>>) -> AppError {
    AppError::new(ErrorKind::InvalidInput, message)
}

/// Trims blanks and removes duplicates from a draft, or returns what is wrong with it.
pub fn checked(draft: ConnectionDraft) -> Result<ConnectionDraft, AppError> {
    let trimmed =
        |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let mut regions: Vec<Region> = Vec::new();
    for region in draft.regions.iter().map(|region| Region::from(region.as_str().trim())) {
        if !Region::is_well_formed(region.as_str()) {
            return Err(
                refused(format!("`{region}` is not an AWS Region such as eu-west-1.")).about(region.as_str())
            );
        }
        if !regions.contains(&region) {
            regions.push(region);
        }
    }
    let name = draft.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > 80 {
        return Err(refused("A connection needs a name of up to 80 characters."));
    }
    if regions.is_empty() {
        return Err(refused("A connection needs at least one AWS Region."));
    }
    let endpoint_url = trimmed(draft.endpoint_url);
    if let Some(url) = &endpoint_url {
        check_url(url, "endpoint")?;
    }
    let mut event_queues: Vec<EventQueue> = Vec::new();
    for queue in draft.event_queues {
        let queue =
            EventQueue { region: queue.region.as_str().trim().into(), url: queue.url.trim().to_owned() };
        check_url(&queue.url, "event queue")?;
        if !regions.contains(&queue.region) {
            return Err(
                refused("An event queue must be in one of the connection's Regions.").about(queue.url)
            );
        }
        if !event_queues.contains(&queue) {
            event_queues.push(queue);
        }
    }
    Ok(ConnectionDraft {
        name,
        environment: draft.environment,
        profile: trimmed(draft.profile),
        endpoint_url,
        regions,
        event_queues,
    })
}

/// Accepts only web addresses without a password: connection files are shared between people.
fn check_url(url: &str, what: &str) -> Result<(), AppError> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split('/').next()).unwrap_or_default();
    if host.is_empty() || url.chars().any(char::is_whitespace) {
        return Err(refused(format!("The {what} `{url}` is not an http:// or https:// address.")));
    }
    if host.contains('@') {
        return Err(refused(format!("The {what} must not hold a user name or password.")));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
