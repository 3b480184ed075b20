//! The processes of the bench: starts this program again in a role, on a core of its own, and reads what the system
//! reports about it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Instant;

use super::load::{self, Asked, Protocol};
use super::{Options, server};

const ROLE: &str = "LIFTDECK_BENCH_ROLE";

/// Plays the role this process was started for, if there is one.
pub(crate) fn play_role() -> Option<ExitCode> {
    let role = std::env::var(ROLE).ok()?;
    let words: Vec<&str> = role.split(' ').collect();
    match words.as_slice() {
        ["simulator", scenario] => server::simulator(scenario.parse().unwrap()),
        ["floor", bytes] => server::floor(bytes.parse().unwrap()),
        ["load", endpoint, protocol, asked, seconds] => {
            let protocol = Protocol::read(protocol).unwrap();
            load::run(endpoint, protocol, Asked::read(asked).unwrap(), seconds.parse().unwrap());
        }
        _ => return Some(ExitCode::FAILURE),
    }
    Some(ExitCode::SUCCESS)
}

/// Starts this program in a role, bound to a core if that is possible here.
fn start(role: &str, core: usize) -> Child {
    let program = std::env::current_exe().unwrap();
    let bindable = Command::new("taskset").arg("--version").stdout(Stdio::null()).status();
    let mut command = if bindable.is_ok_and(|status| status.success()) {
        let mut bound = Command::new("taskset");
        bound.arg("--cpu-list").arg(core.to_string()).arg(program);
        bound
    } else {
        Command::new(program)
    };
    command.env(ROLE, role).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// The result of a load.
pub(crate) struct Measured {
    /// Pages answered.
    pub(crate) pages: f64,
    /// Mean size of a body.
    pub(crate) mean_bytes: f64,
    seconds: f64,
    /// Processor time of the server, where it is known.
    core_seconds: Option<f64>,
}

impl Measured {
    /// Pages per second by the clock.
    pub(crate) fn pages_a_second(&self) -> f64 {
        self.pages / self.seconds
    }

    /// Pages per second of the server's processor time, or by the clock where that is not known.
    pub(crate) fn pages_a_core_second(&self) -> f64 {
        self.pages / self.core_seconds.unwrap_or(self.seconds)
    }
}

/// A server in a process of its own; ends when it is dropped.
pub(crate) struct Server {
    child: Child,
    endpoint: String,
    /// Seconds from the start of the process to its first answer.
    pub(crate) started_s: f64,
}

impl Server {
    /// Starts the simulator with the requested scenario.
    pub(crate) fn simulator(options: &Options) -> Server {
        Server::start(&format!("simulator {}", options.scenario), options)
    }

    /// Starts the floor with ready-made bytes of that size.
    pub(crate) fn floor(options: &Options, bytes: usize) -> Server {
        Server::start(&format!("floor {bytes}"), options)
    }

    fn start(role: &str, options: &Options) -> Server {
        let begun = Instant::now();
        let mut child = start(role, options.cores[0]);
        let mut endpoint = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut endpoint).unwrap();
        let started_s = begun.elapsed().as_secs_f64();
        Server { child, endpoint: endpoint.trim().to_owned(), started_s }
    }

    /// Loads the server for some seconds from another core.
    pub(crate) fn load(
        &mut self,
        options: &Options,
        protocol: Protocol,
        asked: Asked,
        seconds: f64,
    ) -> Measured {
        let role = format!("load {} {} {} {seconds}", self.endpoint, protocol.name(), asked.role());
        let mut loader = start(&role, options.cores[1]);
        let mut lines = BufReader::new(loader.stdout.take().unwrap()).lines();
        // The first line says that the measured time begins, the second holds the result.
        lines.next().unwrap().unwrap();
        let before = self.core_seconds();
        let told = lines.next().unwrap().unwrap();
        let after = self.core_seconds();
        loader.wait().unwrap();
        let told: Vec<f64> = told.split(' ').map(|number| number.parse().unwrap()).collect();
        let core_seconds = before.zip(after).map(|(before, after)| after - before);
        Measured { pages: told[0], mean_bytes: told[1] / told[0], seconds: told[2], core_seconds }
    }

    /// Resident memory; only known on Linux.
    pub(crate) fn memory_bytes(&self) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok().map(|kib| kib * 1024.0)
    }

    /// Processor time so far, in user mode and in the kernel; only known on Linux.
    fn core_seconds(&self) -> Option<f64> {
        // Linux reports it in hundredths of a second, whatever its own clock rate.
        const TICKS_A_SECOND: f64 = 100.0;
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit(") ").next()?.split(' ').collect();
        let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
        Some(ticks / TICKS_A_SECOND)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The server ends when its standard input is closed; the kill is for one that hangs.
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
