//! Reads an address or a key from where a channel says it is: when it is needed, and each time anew.
//!
//! The text is neither logged nor stored, and no message shows it.

use std::path::Path;

use liftdeck_model::channel::Place;

/// Most bytes of a file that holds a secret.
const LONGEST: u64 = 8 * 1024;

/// A text that is shown nowhere.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    #[cfg(test)]
    pub(crate) fn of(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// Reads what a place names.
///
/// # Errors
/// A sentence that says what is missing and what to do; it never shows what was found.
pub(crate) fn read(place: &Place) -> Result<Secret, String> {
    let text = match place {
        Place::Plain(text) => text.clone(),
        Place::Environment(name) => std::env::var(name).map_err(|_| {
            format!("the environment variable {name} is not set where Liftdeck collects. Set it and start that again")
        })?,
        Place::File(path) => read_file(Path::new(path))?,
    };
    let text = text.trim();
    if text.is_empty() {
        return Err(format!("{place} is empty"));
    }
    Ok(Secret(text.to_owned()))
}

fn read_file(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let unread = |error: std::io::Error| format!("the file {shown} cannot be read: {error}");
    let about = std::fs::metadata(path).map_err(unread)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if about.permissions().mode() & 0o077 != 0 {
            return Err(format!("others may read the file {shown}. Run: chmod 600 {shown}"));
        }
    }
    if about.len() > LONGEST {
        return Err(format!("the file {shown} is too long to be an address or a key"));
    }
    std::fs::read_to_string(path).map_err(unread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_is_not_used() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hook");
        std::fs::write(&path, "https://example.com/secret\n").unwrap();
        let place = Place::File(path.display().to_string());
        let allow = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        allow(0o644);
        let refused = read(&place).unwrap_err();
        assert!(refused.contains("chmod 600") && !refused.contains("secret\n"), "{refused}");
        allow(0o600);
        let secret = read(&place).unwrap();
        assert_eq!(secret.expose(), "https://example.com/secret");
        assert_eq!(format!("{secret:?}"), "Secret");
    }

    #[test]
    fn what_is_missing_is_named() {
        let refused = read(&Place::Environment("LIFTDECK_NO_SUCH_VARIABLE".to_owned())).unwrap_err();
        assert!(refused.contains("LIFTDECK_NO_SUCH_VARIABLE"), "{refused}");
    }
}
