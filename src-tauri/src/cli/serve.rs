//! `liftdeck serve`: the window's pages in a browser, until it is told to stop.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;

use clap::Args;
use liftdeck_app::{App, AppOptions, clock};
use liftdeck_model::time::Moment;
#[cfg(feature = "simulator")]
use liftdeck_simulator::Scenario;
use tokio::net::TcpListener;
use tokio::sync::mpsc::unbounded_channel;

use super::operate::by_name;
use super::{Failure, Lines, Outcome, Terminal};
use crate::serve::{self, Keys, Served};
use crate::{logs, socket, stop};
use liftdeck_app::connections::Connections;
use liftdeck_app::home::Home;

/// What to serve, and to whom.
#[derive(Debug, Args)]
#[command(after_help = "\
It prints a link on stdout that lets one browser in, and a new one each time
a link is used. From another computer, go through SSH:
  ssh -L 4310:127.0.0.1:4310 HOST liftdeck serve --listen 127.0.0.1:4310
and open the link there. It collects into the connection's database as the
window does; `liftdeck collect` need not run beside it.")]
pub(super) struct Arguments {
    /// The connection to open [default: the one opened last]
    #[arg(long, value_name = "NAME")]
    connection: Option<String>,
    /// Open the built-in demo instead, with a scenario from `liftdeck simulate --help`
    #[cfg(feature = "simulator")]
    #[arg(long, value_name = "SCENARIO", conflicts_with = "connection", num_args = 0..=1, default_missing_value = Scenario::default().name())]
    demo: Option<Scenario>,
    /// Let the browser unlock the connection and make changes; without this it can only look
    #[arg(long)]
    operate: bool,
    /// Where to listen; port 0 takes a free one
    #[arg(long, default_value = "127.0.0.1:0", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// Listen on an address that other computers reach. Nothing is encrypted: anyone who can read the network traffic
    /// sees the link, the players and their sessions, and with --operate can end them
    #[arg(long)]
    unencrypted_network: bool,
    /// Time to start at: for tests, on a simulated world of another time
    #[arg(long, value_name = "RFC3339", hide = true)]
    clock: Option<Moment>,
    /// How many times slower than real time that clock runs: for tests, whose worlds must not age on a slow machine
    #[arg(long, value_name = "TIMES", hide = true, requires = "clock", default_value = "1")]
    clock_slowed_by: NonZeroU32,
}

pub(super) async fn run(terminal: &Terminal, arguments: Arguments) -> Result<Outcome, Failure> {
    let is_open_to_others = !arguments.listen.ip().is_loopback();
    if is_open_to_others && !arguments.unencrypted_network {
        return Err(Failure::usage(format!(
            "{} can be reached from other computers, and the connection is not encrypted. Keep to 127.0.0.1 and come \
             through an SSH tunnel (`liftdeck serve --help`), or add --unencrypted-network if everyone on that network \
             may see it.",
            arguments.listen.ip()
        )));
    }
    let home = Home::find()?;
    let _log_file = logs::to_stderr_and_file(&home);
    let connections = home.connections_file();
    let listener = TcpListener::bind(arguments.listen)
        .await
        .map_err(|error| Failure::new(format!("Cannot listen on {}: {error}.", arguments.listen)))?;
    let address = listener.local_addr()?;
    let uploads = tempfile::Builder::new().prefix("liftdeck-uploads-").tempdir()?;
    let clock = arguments
        .clock
        .map_or_else(clock::wall, |start| clock::from(start.at(clock::now()), arguments.clock_slowed_by));
    let app = App::new(AppOptions {
        may_operate: arguments.operate,
        uploads: Some(uploads.path().to_owned()),
        ..AppOptions::new(home, clock, socket::opener())
    })?;
    let (used, mut fresh) = unbounded_channel();
    let stop = stop::token()?;
    let served =
        Arc::new(Served { app, keys: Keys::new(used)?, uploads, is_open_to_others, stop: stop.clone() });
    // Taken before a browser can send a request, so that its first request waits until the connection is open.
    let turn = served.app.turn().await;
    let print = |key: &str| terminal.answer(&Lines::from_iter([serve::link(address, key)]));
    print(&served.keys.key())?;
    let serving = serve::serve(listener, Arc::clone(&served));
    let opening = async {
        #[cfg(feature = "simulator")]
        let demo = arguments.demo.map(Scenario::name);
        #[cfg(not(feature = "simulator"))]
        let demo = None;
        match (demo, arguments.connection) {
            (Some(scenario), _) => served.app.open_demo(Some(scenario), 1, turn).await?,
            (None, Some(name)) => {
                let saved = by_name(&Connections::load(connections), &name)?;
                served.app.open_connection(&saved.id, turn).await?;
            }
            (None, None) => served.app.open_last(turn).await,
        }
        while let Some(key) = fresh.recv().await {
            print(&key)?;
        }
        Ok(())
    };
    let ended = tokio::select! {
        ended = serving => ended.map_err(Failure::from),
        Err(failure) = opening => Err(failure),
    };
    stop.cancel();
    served.app.close().await;
    ended.map(|()| Outcome::Done)
}
