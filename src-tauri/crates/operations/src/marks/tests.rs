//! The mark of a place, however its path or profile is spelled.

use super::*;

const LIVE: &str = "111122223333";
const OTHER: &str = "444455556666";

struct Bench {
    folder: tempfile::TempDir,
    saved: Vec<Marked>,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), saved: Vec::new() }
    }

    /// Saves a connection, and returns the path of its database; one without an account has never been opened.
    fn save(&mut self, name: &str, environment: Environment, account: Option<&str>) -> PathBuf {
        let id = name.to_ascii_lowercase();
        let database = self.folder.path().join("databases").join(format!("{id}.sqlite"));
        self.saved.push(Marked {
            id,
            name: name.to_owned(),
            environment,
            account: account.map(AccountId::from),
            database: Some(database.clone()),
        });
        database
    }

    async fn mark(&self, database: &str, account: &str, kept: Option<Environment>) -> Mark {
        self.mark_named(database, account, kept, None).await
    }

    async fn mark_named(
        &self,
        database: &str,
        account: &str,
        kept: Option<Environment>,
        named: Option<&str>,
    ) -> Mark {
        let place = Place {
            database: &self.folder.path().join(database),
            account: &AccountId::from(account),
            named,
            profile: None,
        };
        Mark::among(&self.saved, &place, kept, Timestamp::from_ms(0)).await
    }
}

#[tokio::test]
async fn the_account_alone_makes_a_place_production_whatever_it_is_called() {
    let mut bench = Bench::new();
    bench.save("Arena", Environment::Production, Some(LIVE));
    bench.save("Sandbox", Environment::Development, Some(LIVE));
    let mark = bench.mark("x.sqlite", LIVE, None).await;
    assert_eq!((mark.environment, mark.name.as_deref()), (Environment::Production, Some("Arena")));
    assert_eq!(mark.lasting, Some(Environment::Production));
    let other = bench.mark("x.sqlite", OTHER, None).await;
    assert_eq!((other.environment, other.lasting), (Environment::Development, None));
    // Even when named by the development connection, it is the same account.
    let named = bench.mark_named("x.sqlite", LIVE, None, Some("sandbox")).await;
    assert_eq!((named.environment, named.name.as_deref()), (Environment::Production, Some("Arena")));
}

#[tokio::test]
async fn a_connection_nobody_opened_yet_may_be_any_account() {
    let mut bench = Bench::new();
    bench.save("Arena", Environment::Production, None);
    let may_be = bench.mark("x.sqlite", OTHER, None).await;
    assert_eq!((may_be.environment, may_be.name.as_deref()), (Environment::Production, Some("Arena")));
    assert_eq!(may_be.lasting, None, "the database does not keep what is not known");
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_alone_makes_a_place_production_by_whatever_path_or_link() {
    let mut bench = Bench::new();
    let database = bench.save("Arena", Environment::Production, Some(LIVE));
    std::fs::create_dir(database.parent().unwrap()).unwrap();
    std::fs::write(&database, "").unwrap();
    let at = |name: &str| bench.folder.path().join(name);
    std::os::unix::fs::symlink(&database, at("link.sqlite")).unwrap();
    std::fs::hard_link(&database, at("hard.sqlite")).unwrap();
    std::os::unix::fs::symlink(database.parent().unwrap(), at("folder")).unwrap();
    for path in ["link.sqlite", "hard.sqlite", "folder/arena.sqlite", "databases/../databases/./arena.sqlite"]
    {
        let mark = bench.mark(path, OTHER, None).await;
        assert_eq!(
            (mark.environment, mark.lasting),
            (Environment::Production, Some(Environment::Production)),
            "{path}"
        );
    }
    assert_eq!(bench.mark("copy.sqlite", OTHER, None).await.environment, Environment::Development);
}

#[tokio::test]
async fn what_the_database_keeps_counts_when_the_connection_is_gone() {
    let mut bench = Bench::new();
    let mark = bench.mark("copy.sqlite", OTHER, Some(Environment::Production)).await;
    assert_eq!((mark.environment, mark.name), (Environment::Production, None));
    bench.save("Test", Environment::Development, Some(OTHER));
    let mark = bench.mark("copy.sqlite", OTHER, Some(Environment::Staging)).await;
    assert_eq!((mark.environment, mark.name.as_deref()), (Environment::Staging, Some("Test")));
}

#[tokio::test]
async fn only_what_nobody_marked_is_guessed_from_its_name_and_no_saved_connection_is_a_demo() {
    let mut bench = Bench::new();
    let unmarked = async |bench: &Bench, path| bench.mark(path, LIVE, None).await.environment;
    assert_eq!(unmarked(&bench, "acme-PROD.sqlite").await, Environment::Production);
    assert_eq!(unmarked(&bench, "live-eu.sqlite").await, Environment::Production);
    assert_eq!(unmarked(&bench, "ops.sqlite").await, Environment::Development);
    bench.save("Mine", Environment::Demo, Some(LIVE));
    assert_eq!(unmarked(&bench, "prod.sqlite").await, Environment::Development);
}
