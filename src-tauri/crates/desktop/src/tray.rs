//! Whether this desktop has a place for a tray icon.
//!
//! Looked at before one is made: on Linux the library that makes it is loaded by name and ends the program's thread
//! if it is missing, and GNOME shows none without an extension.

/// Whether a tray icon would be seen, and can be made.
#[cfg(target_os = "linux")]
pub async fn has_tray() -> bool {
    linux::has_library() && linux::is_watched().await
}

/// Whether a tray icon would be seen, and can be made: these systems always have a place for it.
#[cfg(not(target_os = "linux"))]
#[allow(clippy::unused_async, reason = "Linux asks its D-Bus")]
pub async fn has_tray() -> bool {
    cfg!(any(target_os = "macos", target_os = "windows"))
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::{Path, PathBuf};

    use zbus::Connection;
    use zbus::fdo::DBusProxy;
    use zbus::names::BusName;

    /// Who shows tray icons owns this name (freedesktop.org, StatusNotifierItem).
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";
    /// The libraries of which one is loaded.
    const LIBRARIES: [&str; 2] = ["libayatana-appindicator3.so.1", "libappindicator3.so.1"];
    /// What the system's loader knows.
    const CACHE: &str = "/etc/ld.so.cache";
    /// Where it looks besides.
    const FOLDERS: [&str; 4] = ["/lib", "/usr/lib", "/lib64", "/usr/lib64"];

    pub(super) async fn is_watched() -> bool {
        let asked = async {
            let bus = Connection::session().await?;
            let name = BusName::try_from(WATCHER)?;
            zbus::Result::Ok(DBusProxy::new(&bus).await?.name_has_owner(name).await?)
        };
        asked.await.unwrap_or(false)
    }

    pub(super) fn has_library() -> bool {
        let named = std::env::var_os("LD_LIBRARY_PATH");
        let named = named.iter().flat_map(std::env::split_paths).filter(|folder| folder.is_absolute());
        is_in(Path::new(CACHE), named.chain(FOLDERS.map(PathBuf::from)))
    }

    fn is_in(cache: &Path, folders: impl Iterator<Item = PathBuf>) -> bool {
        let known = std::fs::read(cache).unwrap_or_default();
        let is_known = |name: &str| known.windows(name.len()).any(|part| part == name.as_bytes());
        LIBRARIES.into_iter().any(is_known)
            || folders.into_iter().any(|folder| LIBRARIES.iter().any(|name| folder.join(name).exists()))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_library_is_found_by_the_loaders_cache_or_in_a_folder_and_else_missing() {
            let place = tempfile::tempdir().unwrap();
            let (cache, folder) = (place.path().join("cache"), place.path().join("lib"));
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(&cache, b"\0libc.so.6\0").unwrap();
            assert!(!is_in(&cache, [folder.clone()].into_iter()));
            std::fs::write(folder.join(LIBRARIES[1]), b"").unwrap();
            assert!(is_in(&cache, [folder].into_iter()));
            std::fs::write(&cache, b"\0libc.so.6\0libayatana-appindicator3.so.1\0").unwrap();
            assert!(is_in(&cache, std::iter::empty()));
            assert!(!is_in(&place.path().join("none"), std::iter::empty()));
        }
    }
}
