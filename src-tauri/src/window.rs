//! The window: state and set-up, the commands it may call and the events it receives, and what is seen of it when it is
//! out of sight: notifications, the tray, links.

mod ask;
mod dialog;
mod notify;
mod place;
mod tell;
mod tray;

use std::sync::Arc;

use parking_lot::Mutex;
use tauri::async_runtime::JoinHandle;
use tauri::{Manager, RunEvent};

use crate::cli::{Failure, Outcome};
use crate::{linux, logs, socket, stop};
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_app::home::Home;
use liftdeck_app::{App, AppOptions, clock};
use liftdeck_model::link::Link;
use notify::Notifications;
use place::{Place, Waiting};

/// What the window shows when it opens.
#[derive(Clone, Debug)]
pub(crate) enum Opening {
    /// The connection opened last, or the first-run screen.
    Last,
    /// The built-in demo.
    #[cfg(feature = "simulator")]
    Demo {
        /// Name of the scenario.
        scenario: String,
        /// Seed of the simulated world.
        seed: u64,
    },
    /// The page of a link.
    Page {
        /// Id of the connection to open.
        connection: String,
        /// The window's own address.
        route: String,
    },
}

/// The saved connection that a link means.
///
/// # Errors
/// When there is none.
pub(crate) fn connection_of(link: &Link, connections: &[ConnectionSummary]) -> Result<String, Failure> {
    Ok(place::meant(link, connections).map(|connection| connection.id.clone())?)
}

/// Opens the window and returns when it is closed.
pub(crate) fn open(opening: Opening) -> Result<Outcome, Failure> {
    if !linux::has_display() {
        return Err(Failure::new(
            "There is no display to open a window on: neither DISPLAY nor WAYLAND_DISPLAY is set. \
             Start it in a desktop session, or use `liftdeck collect`, `export` and `chart`, which need none.",
        ));
    }
    linux::without_dmabuf();
    let home = Home::find()?;
    let door = home.window_door()?;
    let log_file = logs::to_stderr_and_file(&home);
    let options = AppOptions::new(home, clock::wall(), socket::opener());
    let core = App::new(options)?;
    // Taken before the window can send a request, so that its first request waits until the first connection is open.
    let turn = core.first_turn();
    // Before anything is opened: only the desks of connections opened from then on are heard.
    let at_desk = core.at_desk();
    let waiting = Waiting::default();
    if let Opening::Page { route, .. } = &opening {
        waiting.put(Place::here(route.clone()));
    }
    let door_keeper = Arc::<Mutex<Option<JoinHandle<()>>>>::default();
    let keeper = Arc::clone(&door_keeper);
    let app = tauri::Builder::default()
        .manage(core)
        .manage(waiting)
        .invoke_handler(ask::answer)
        .setup(move |app| {
            let app = app.handle().clone();
            app.manage(Notifications::start(app.clone(), at_desk));
            tauri::async_runtime::spawn(tell::hints(app.clone()));
            tauri::async_runtime::spawn(tray::keep(app.clone()));
            let shown = app.clone();
            let show = move |link| place::follow(shown.clone(), link);
            *keeper.lock() = Some(tauri::async_runtime::spawn(socket::door::keep(door, show)));
            let stopped = app.clone();
            tauri::async_runtime::spawn(async move {
                match stop::Signals::listen() {
                    Ok(mut signals) => {
                        signals.asked().await;
                        stopped.exit(0);
                    }
                    Err(error) => tracing::warn!(%error, "The process cannot receive signals."),
                }
            });
            tauri::async_runtime::spawn(async move {
                let core = app.state::<Arc<App>>();
                let turn = match turn {
                    Some(turn) => turn,
                    None => core.turn().await,
                };
                match opening {
                    Opening::Last => core.open_last(turn).await,
                    #[cfg(feature = "simulator")]
                    Opening::Demo { scenario, seed } => {
                        if let Err(error) = core.open_demo(Some(&scenario), seed, turn).await {
                            tracing::error!(%error, "The demo could not be opened.");
                        }
                    }
                    Opening::Page { connection, .. } => core.open_named(&connection, turn).await,
                }
            });
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(|error| Failure::new(format!("The window could not be opened: {error}.")))?;
    let code = app.run_return(move |app, event| match event {
        RunEvent::Exit => tauri::async_runtime::block_on(async {
            let keeper = door_keeper.lock().take();
            if let Some(keeper) = keeper {
                keeper.abort();
                // It is expected to end as aborted, and takes its socket away.
                let _ = keeper.await;
            }
            app.state::<Arc<App>>().close().await;
            app.state::<Notifications>().clear().await;
        }),
        // A Mac brings links as an event, to a program that runs and to one it starts for them.
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            urls.iter().for_each(|url| place::opened(app, url.as_str()));
        }
        _ => {}
    });
    drop(log_file);
    if code == 0 { Ok(Outcome::Done) } else { Err(Failure::new("The window ended with an error.")) }
}
