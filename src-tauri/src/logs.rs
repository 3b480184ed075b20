//! Logs go to stderr always, and to a daily file in the data folder for the window and `liftdeck serve`.
//!
//! Each event is one log line. Control and invisible characters in foreign text are made visible, so that nothing in
//! it can control a terminal or pass for another line; for the same reason the log has no colours. Panics are logged
//! too.
//!
//! Events of the AWS SDK and the HTTP stack below WARN are dropped whatever the filter says: at DEBUG they contain
//! access key ids, at TRACE player data.

mod plain;

use tracing::Metadata;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{FilterExt, ParseError, Targets, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use liftdeck_app::home::Home;
use plain::Plain;

/// The environment variable with the filter, in the syntax of `tracing` (`info`, `liftdeck_collector=info`). Release
/// builds contain nothing below INFO.
const FILTER: &str = "LIFTDECK_LOG";

/// How many log files are kept, one per day.
const FILES: usize = 7;

/// Logs to stderr, warnings and worse unless `LIFTDECK_LOG` says otherwise.
pub(crate) fn to_stderr() {
    let stderr = tracing_subscriber::fmt::layer().with_writer(|| Plain(std::io::stderr())).with_ansi(false);
    log_panics();
    // Only tests initialise logging twice in one process; the first time counts.
    let _ = tracing_subscriber::registry()
        .with(stderr.with_filter(filter(LevelFilter::WARN).and(filter_fn(is_fit_to_keep))))
        .try_init();
    warn_of_unread_filter();
}

/// Logs to stderr and to one file per day. The file is complete once the returned guard is dropped.
pub(crate) fn to_stderr_and_file(home: &Home) -> Option<WorkerGuard> {
    let files = home.log_folder().ok().and_then(|folder| {
        tracing_appender::rolling::Builder::new()
            .rotation(tracing_appender::rolling::Rotation::DAILY)
            .filename_prefix("liftdeck")
            .filename_suffix("log")
            .max_log_files(FILES)
            .build(folder)
            .ok()
    });
    let Some(files) = files else {
        to_stderr();
        tracing::warn!("No log file can be written; logs go to stderr alone.");
        return None;
    };
    let (writer, guard) = tracing_appender::non_blocking(files);
    let stderr = tracing_subscriber::fmt::layer().with_writer(|| Plain(std::io::stderr())).with_ansi(false);
    let file = tracing_subscriber::fmt::layer().with_writer(move || Plain(writer.clone())).with_ansi(false);
    log_panics();
    let _ = tracing_subscriber::registry()
        .with(stderr.with_filter(filter(LevelFilter::WARN).and(filter_fn(is_fit_to_keep))))
        .with(file.with_filter(filter(LevelFilter::INFO).and(filter_fn(is_fit_to_keep))))
        .try_init();
    warn_of_unread_filter();
    Some(guard)
}

/// Logs panics like any other event: to the file too, and on one line.
fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let what = panic.payload_as_str().unwrap_or("no message");
        tracing::error!(place, what, "A part of the program failed.");
    }));
}

fn filter(default: LevelFilter) -> Targets {
    match asked_for() {
        Some(Ok(targets)) if targets.default_level().is_none() => targets.with_default(default),
        Some(Ok(targets)) => targets,
        Some(Err(_)) | None => usual(default),
    }
}

/// Parses the filter in the environment, if there is one.
fn asked_for() -> Option<Result<Targets, ParseError>> {
    std::env::var_os(FILTER).filter(|text| !text.is_empty()).map(|text| text.to_string_lossy().parse())
}

fn warn_of_unread_filter() {
    if let Some(Err(error)) = asked_for() {
        tracing::warn!(
            "{FILTER} is ignored: {error}. Write a level (info) or a part's level (liftdeck_collector=info)."
        );
    }
}

/// The filter that applies unless the environment sets one.
fn usual(default: LevelFilter) -> Targets {
    // Warnings of the SDK's search for credentials are left out: the code that needed them reports a readable error.
    Targets::new().with_default(default).with_target("aws_config", LevelFilter::ERROR)
}

/// Whether an event may be written at all.
fn is_fit_to_keep(event: &Metadata<'_>) -> bool {
    let foreign = ["aws_", "hyper", "h2", "rustls", "reqwest", "sqlx"];
    *event.level() <= tracing::Level::WARN || !foreign.iter().any(|name| event.target().starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Returns what a filter lets into a log.
    fn logged(filter: Targets, events: impl FnOnce()) -> String {
        let sink = Sink::default();
        let writer = sink.clone();
        let layer = tracing_subscriber::fmt::layer()
            .with_writer(move || writer.clone())
            .with_filter(filter.and(filter_fn(is_fit_to_keep)));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), events);
        String::from_utf8(sink.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn warnings_of_ours_are_logged_unless_told_otherwise_and_the_search_for_credentials_is_not() {
        let text = logged(usual(LevelFilter::WARN), || {
            tracing::warn!(target: "liftdeck_collector", "a poll failed");
            tracing::info!(target: "liftdeck_collector", "a poll ended");
            tracing::warn!(target: "aws_config", "no credentials here");
        });
        assert!(text.contains("a poll failed"), "{text}");
        assert!(!text.contains("a poll ended") && !text.contains("no credentials here"), "{text}");
    }

    #[test]
    fn the_sdk_stays_silent_below_warn_even_when_everything_is_asked_for() {
        let text = logged(Targets::new().with_default(LevelFilter::TRACE), || {
            tracing::debug!(target: "aws_runtime::auth", "AKIDCANARY");
            tracing::trace!(target: "aws_smithy_runtime::client", "player-canary");
            tracing::debug!(target: "hyper_util::client", "header-canary");
            tracing::warn!(target: "aws_config", "a warning");
            tracing::info!(target: "liftdeck_collector", "our own");
        });
        assert!(!text.contains("canary") && !text.contains("CANARY"), "{text}");
        assert!(text.contains("a warning") && text.contains("our own"), "{text}");
    }
}
