//! Opening the window: plugins, state, commands, setup; nothing else.

use liftdeck_simulator::Scenario;
use tauri::{Manager, RunEvent};

use crate::cli::{Failure, Outcome};
use crate::home::Home;
use crate::state::Deck;
use crate::{clock, commands, linux, logs, relay, stop};

/// What the window opens on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Opening {
    /// The connection opened last, or the first-run screen.
    Last,
    /// The built-in demo.
    Demo {
        /// Which scenario.
        scenario: Scenario,
        /// Which world.
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
    let failed = |error: &dyn std::fmt::Display| Failure::new(error.to_string());
    let home = Home::find().map_err(|error| failed(&error))?;
    let log_file = logs::to_stderr_and_file(&home);
    let deck = Deck::new(home, clock::wall()).map_err(|error| failed(&error))?;
    // Taken before the window can ask anything, so that its first question waits for the first opening.
    let turn = deck.first_turn();
    let border = commands::border();
    let handler = border.invoke_handler();
    let app = tauri::Builder::default()
        .manage(deck)
        .invoke_handler(handler)
        .setup(move |app| {
            border.mount_events(app);
            let app = app.handle().clone();
            let stopped = app.clone();
            tauri::async_runtime::spawn(async move {
                match stop::Signals::listen() {
                    Ok(mut signals) => {
                        signals.asked().await;
                        stopped.exit(0);
                    }
                    Err(error) => tracing::warn!(%error, "Signals cannot be heard."),
                }
            });
            tauri::async_runtime::spawn(async move {
                let deck = app.state::<Deck>();
                let turn = match turn {
                    Some(turn) => turn,
                    None => deck.turn().await,
                };
                match opening {
                    Opening::Last => deck.open_last(&app, turn).await,
                    Opening::Demo { scenario, seed } => {
                        if let Err(error) = deck.open_demo(&app, scenario, seed, turn).await {
                            tracing::error!(%error, "The demo could not be opened.");
                        }
                        relay::settings_changed(&app);
                    }
                }
            });
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(|error| Failure::new(format!("The window could not be opened: {error}.")))?;
    let code = app.run_return(|app, event| {
        if let RunEvent::Exit = event {
            tauri::async_runtime::block_on(app.state::<Deck>().close());
        }
    });
    drop(log_file);
    if code == 0 { Ok(Outcome::Done) } else { Err(Failure::new("The window ended with an error.")) }
}
