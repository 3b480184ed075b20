//! The copy of a database that is kept while its schema is migrated.
//!
//! Owns creating and removing the copy. Making it also proves that the disk has room: nothing is migrated without it.

use std::path::{Path, PathBuf};

use sqlx::SqliteConnection;

use crate::error::StoreError;
use crate::file::{beside, remove, siblings, sync_folder};
use crate::lock;

/// Suffix of the copy made before a migration, followed by the schema version it was made from.
const COPY: &str = ".before-migration-";
const COPY_PART: &str = ".copy-part";

/// Copies a database that is about to be migrated, unless an earlier attempt has left a copy. The copy gets its name
/// only once it is complete. If there is no room for it, nothing is migrated.
pub(crate) async fn keep_copy(
    connection: &mut SqliteConnection,
    path: &Path,
    version: i64,
) -> Result<(), StoreError> {
    let (copy, part) = (beside(path, &format!("{COPY}{version}")), beside(path, COPY_PART));
    if copy.exists() {
        return Ok(());
    }
    let copying = async {
        remove(&part);
        lock::create_private(&part)?;
        sqlx::query("VACUUM INTO ?").bind(part.to_string_lossy()).execute(connection).await?;
        std::fs::File::open(&part)
            .and_then(|file| file.sync_all())
            .and_then(|()| std::fs::rename(&part, &copy))
            .map_err(|source| lock::refused(&copy, "created", source))
    };
    let copied = copying.await;
    if copied.is_err() {
        remove(&part);
    }
    sync_folder(path);
    copied
}

/// Finds the copy with the newest schema, which exists only if a migration was not finished.
pub(crate) fn newest_copy(path: &Path) -> Option<PathBuf> {
    let version =
        |copy: &PathBuf| copy.to_string_lossy().rsplit_once('-').and_then(|(_, n)| n.parse::<i64>().ok());
    siblings(path, COPY).into_iter().max_by_key(version)
}

/// Removes the copies once the migrations are done.
pub(crate) fn drop_copies(path: &Path) {
    siblings(path, COPY).iter().for_each(|copy| remove(copy));
    remove(&beside(path, COPY_PART));
}
