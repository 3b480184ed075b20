//! A post office between the program and the world: passes requests on and can keep one, or the answer to one, for ever.
//!
//! The simulator's faults strike before a change happens or spoil its answer at once. To kill the program after the
//! world has changed and before it hears of it, the answer has to lie somewhere meanwhile.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeps {
    /// The request: the world never hears of it.
    Request,
    /// The answer: the world has changed.
    Answer,
}

/// The next request of an operation to be kept, and what of it.
type Order = Arc<Mutex<Option<(String, Keeps)>>>;

/// A post office; its address stands for the simulator's.
pub(super) struct Post {
    /// Where it listens.
    pub(super) endpoint: String,
    order: Order,
    kept: Receiver<()>,
}

impl Post {
    /// Opens one before a simulator.
    pub(super) fn before(simulator: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let order = Order::default();
        let (told, kept) = channel();
        let world = simulator.trim_start_matches("http://").to_owned();
        let orders = Arc::clone(&order);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (world, orders, told) = (world.clone(), Arc::clone(&orders), told.clone());
                std::thread::spawn(move || serve(client, &world, &orders, &told));
            }
        });
        Self { endpoint, order, kept }
    }

    /// Keeps the next request of an operation, or the answer to it.
    pub(super) fn keep(&self, operation: &str, what: Keeps) {
        *self.order.lock().unwrap() = Some((operation.to_owned(), what));
    }

    /// Waits until something is kept.
    pub(super) fn wait(&self, what: &str) {
        assert!(self.keeps_within(Duration::from_secs(240)), "nothing was kept of {what}");
    }

    /// Whether something is kept in time.
    pub(super) fn keeps_within(&self, time: Duration) -> bool {
        self.kept.recv_timeout(time).is_ok()
    }
}

/// One request of a connection, then its end: clients open another.
fn serve(mut client: TcpStream, world: &str, order: &Order, told: &Sender<()>) {
    let Some((head, body)) = request(&mut client) else { return };
    let line = head.lines().next().unwrap_or_default();
    let kept = {
        let mut order = order.lock().unwrap();
        let wanted =
            order.as_ref().is_some_and(|(operation, _)| line.contains(&format!("/operation/{operation} ")));
        if wanted { order.take().map(|(_, what)| what) } else { None }
    };
    let keep = |mut client: TcpStream| {
        let _ = told.send(());
        // Until the program hangs up, which it does when it is killed.
        let _ = client.read(&mut [0]);
    };
    if kept == Some(Keeps::Request) {
        return keep(client);
    }
    let Some(answer) = ask(world, &head, &body) else { return };
    if kept == Some(Keeps::Answer) {
        return keep(client);
    }
    let _ = client.write_all(&answer);
}

/// Head and body of a request.
fn request(client: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let mut more = [0; 8_192];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        match client.read(&mut more) {
            Ok(read) if read > 0 => bytes.extend_from_slice(&more[..read]),
            _ => return None,
        }
    };
    let mut body = bytes.split_off(end);
    let head = String::from_utf8(bytes).ok()?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let missing = length.unwrap_or(0).saturating_sub(body.len());
    let mut rest = vec![0; missing];
    client.read_exact(&mut rest).ok()?;
    body.extend(rest);
    Some((head, body))
}

/// The world's answer, all of it.
fn ask(world: &str, head: &str, body: &[u8]) -> Option<Vec<u8>> {
    let mut stream = TcpStream::connect(world).ok()?;
    let closing = head.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    stream.write_all(closing.as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    Some(answer)
}
