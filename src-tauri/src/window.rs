//! The window: plugins, state and set-up, the commands it may call and the events it receives.

mod ask;
mod dialog;
mod tell;

use std::sync::Arc;

use tauri::{Manager, RunEvent};

use crate::cli::{Failure, Outcome};
use crate::{linux, logs, socket, stop};
use liftdeck_app::home::Home;
use liftdeck_app::{App, AppOptions, clock};

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
    let log_file = logs::to_stderr_and_file(&home);
    let options = AppOptions::new(home, clock::wall(), socket::opener());
    let core = App::new(options)?;
    // Taken before the window can send a request, so that its first request waits until the first connection is open.
    let turn = core.first_turn();
    let app = tauri::Builder::default()
        .manage(core)
        .invoke_handler(ask::answer)
        .setup(move |app| {
            let app = app.handle().clone();
            tauri::async_runtime::spawn(tell::hints(app.clone()));
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
                }
            });
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(|error| Failure::new(format!("The window could not be opened: {error}.")))?;
    let code = app.run_return(|app, event| {
        if let RunEvent::Exit = event {
            tauri::async_runtime::block_on(app.state::<Arc<App>>().close());
        }
    });
    drop(log_file);
    if code == 0 { Ok(Outcome::Done) } else { Err(Failure::new("The window ended with an error.")) }
}
