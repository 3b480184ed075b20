//! The note beside a database: where its desk is, and the token to show there.
//!
//! Owns `<database>.desk`. A program that was killed leaves its note behind; nobody answers there, and it means nothing.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::home::write_whole;

/// The form of the note.
const FORMAT: u32 = 1;
/// 256 bits.
const TOKEN_BYTES: usize = 32;

/// What the file holds.
#[derive(Serialize, Deserialize)]
struct Written {
    format: u32,
    version: String,
    port: u16,
    token: String,
}

/// A note that was left.
pub(super) struct Note {
    path: PathBuf,
    token: String,
}

/// A note that was found.
pub(super) struct Found {
    pub(super) port: u16,
    pub(super) token: String,
}

fn path_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".desk");
    PathBuf::from(name)
}

impl Note {
    /// Leaves a note with a fresh token, readable by this user only. An older one is of a program that is gone.
    ///
    /// # Errors
    /// When it cannot be written, or the system gives no random numbers.
    pub(super) fn leave(database: &Path, port: u16) -> std::io::Result<Self> {
        let mut random = [0_u8; TOKEN_BYTES];
        getrandom::fill(&mut random).map_err(std::io::Error::other)?;
        let token: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let written =
            Written { format: FORMAT, version: super::frame::VERSION.to_owned(), port, token: token.clone() };
        let path = path_of(database);
        write_whole(&path, &serde_json::to_vec(&written)?)?;
        Ok(Self { path, token })
    }

    /// The token.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Takes it away; once is enough.
    pub(super) fn take_away(&self) {
        if let Err(error) = std::fs::remove_file(&self.path)
            && error.kind() != std::io::ErrorKind::NotFound
        {
            tracing::debug!(%error, "The note of the desk stays behind.");
        }
    }
}

impl Found {
    /// The note beside a database, if there is one that can be read.
    pub(super) fn beside(database: &Path) -> Option<Self> {
        let text = std::fs::read(path_of(database)).ok()?;
        let Written { format, port, token, .. } = serde_json::from_slice(&text).ok()?;
        (format == FORMAT).then_some(Self { port, token })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_found_until_it_is_taken_away_and_no_two_tokens_are_alike() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("prod.sqlite");
        assert!(Found::beside(&database).is_none());
        let first = Note::leave(&database, 1).unwrap();
        let note = Note::leave(&database, 7).unwrap();
        assert_ne!(first.token(), note.token());
        let found = Found::beside(&database).unwrap();
        assert_eq!((found.port, found.token.as_str()), (7, note.token()));
        assert_eq!(found.token.len(), 64);
        note.take_away();
        note.take_away();
        assert!(Found::beside(&database).is_none());
    }

    #[test]
    fn rubbish_and_a_note_of_another_form_are_no_note() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("prod.sqlite");
        for text in ["", "rubbish", r#"{"format":2,"version":"9","port":1,"token":"x"}"#] {
            std::fs::write(path_of(&database), text).unwrap();
            assert!(Found::beside(&database).is_none(), "{text}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_can_read_a_note() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("prod.sqlite");
        let note = Note::leave(&database, 7).unwrap();
        assert_eq!(std::fs::metadata(&note.path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
