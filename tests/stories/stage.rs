//! The stage that the screens tests look at, as their runner ends it: with SIGKILL to its process group. The runner
//! then waits until nobody holds the stage's output open any more, for ever if need be.

use std::io::{PipeWriter, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use liftdeck_tests::program::Group;
use serde_json::json;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

#[test]
fn a_killed_stage_leaves_no_program_behind_that_holds_its_output_open() {
    let (mut output, held) = std::io::pipe().expect("a pipe");
    let mut stage = stage_with(held);
    let open = format!("http://{}/open", stage.first_line(PATIENCE));
    ureq::post(&open).send_json(json!({ "connected": false })).expect("a program is open");

    stage.kill();
    let (ended, is_over) = mpsc::channel();
    std::thread::spawn(move || {
        let _ = ended.send(output.read_to_end(&mut Vec::new()));
    });
    is_over.recv_timeout(PATIENCE).expect("nobody holds the output open").expect("the output is read");
}

/// Starts a stage that has the only handle of the standard error it is given, which its programs share.
fn stage_with(output: PipeWriter) -> Group {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stage"));
    Group::spawn(command.args(["--port", "0"]).stdout(Stdio::piped()).stderr(output))
}
