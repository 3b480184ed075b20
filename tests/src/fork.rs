//! A fork in the road: forwards each request to the one of several servers that it is meant for, and may hold its
//! answer back for a moment.
//!
//! One endpoint stands for all of AWS. Behind a fork, GameLift can be one program's and SNS another's. A kill while an
//! answer is held back meets what matters: the receiver has accepted, and the sender does not know.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use crate::post::{ask, request};

/// Where a request goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// To this address.
    To(String),
    /// There, and its answer comes up to this much later.
    Slowly(String, Duration),
    /// Nowhere: the connection is closed without an answer.
    Nowhere,
}

/// An open fork; it stays open until the process ends.
#[derive(Clone, Debug)]
pub struct Fork {
    /// Its address, used in place of the servers'.
    pub endpoint: String,
}

impl Fork {
    /// Opens a fork that asks `way` about the head of each request.
    ///
    /// # Panics
    /// If no port is free.
    pub fn open(way: impl Fn(&str) -> Way + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("its address"));
        let way = Arc::new(way);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let way = Arc::clone(&way);
                std::thread::spawn(move || serve(client, way.as_ref()));
            }
        });
        Self { endpoint }
    }
}

/// Serves one request and closes the connection; clients then open another.
fn serve(mut client: TcpStream, way: &dyn Fn(&str) -> Way) {
    let Some((head, body)) = request(&mut client) else { return };
    let (to, slowness) = match way(&head) {
        Way::To(to) => (to, Duration::ZERO),
        Way::Slowly(to, slowness) => (to, slowness),
        Way::Nowhere => return,
    };
    let Some(answer) = ask(to.trim_start_matches("http://"), &head, &body) else { return };
    std::thread::sleep(slowness.mul_f64(fastrand::f64()));
    // The client may have been killed meanwhile.
    let _ = client.write_all(&answer);
}
