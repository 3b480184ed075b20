//! A proxy between the program and the world: forwards requests, and can hold one back, or the response to one.
//!
//! The simulator's faults act before a change happens or spoil its response at once. Killing the program after the
//! world has changed but before it knows needs a response that is held back. Seeing what happens to a request that
//! arrives long after it was given up needs a request that is held back. It can also move the `date` of responses
//! forward, from which the program knows how much time has passed at AWS.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// What is held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// The request: it never reaches the world.
    Request,
    /// The response: the world has changed.
    Answer,
    /// The request, until it is released. It then reaches the world, whether or not the program still waits for the
    /// response.
    Late,
}

/// Minutes by which the date of responses moves forward: longer than a request can be in flight.
const MINUTES: u32 = 12;

/// A proxy; its address is used instead of the simulator's.
pub struct Post {
    /// The address it listens on.
    pub endpoint: String,
    desk: Arc<Desk>,
    kept: Mutex<Receiver<()>>,
}

/// State shared by all threads.
struct Desk {
    world: String,
    /// For each operation, what to hold back of its next request.
    orders: Mutex<HashMap<String, Keeps>>,
    told: Mutex<Sender<()>>,
    /// Whether late requests are released.
    open: Mutex<bool>,
    opened: Condvar,
    /// Minutes by which the date of responses is ahead of the world's.
    minute: AtomicU32,
}

impl Post {
    /// Opens a proxy in front of a simulator.
    ///
    /// # Panics
    /// If no port is free.
    pub fn before(simulator: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("its address"));
        let (told, kept) = channel();
        let desk = Arc::new(Desk {
            world: simulator.trim_start_matches("http://").to_owned(),
            orders: Mutex::default(),
            told: Mutex::new(told),
            open: Mutex::default(),
            opened: Condvar::new(),
            minute: AtomicU32::new(0),
        });
        let office = Arc::clone(&desk);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let office = Arc::clone(&office);
                std::thread::spawn(move || office.serve(client));
            }
        });
        Self { endpoint, desk, kept: Mutex::new(kept) }
    }

    /// Holds back the next request of an operation, or the response to it.
    ///
    /// # Panics
    /// If one of its threads has failed.
    pub fn keep(&self, operation: &str, what: Keeps) {
        *self.desk.open.lock().expect("the desk") = false;
        self.desk.orders.lock().expect("the desk").insert(operation.to_owned(), what);
    }

    /// Releases late requests.
    ///
    /// # Panics
    /// If one of its threads has failed.
    pub fn let_go(&self) {
        *self.desk.open.lock().expect("the desk") = true;
        self.desk.opened.notify_all();
    }

    /// Moves the date of responses forward by another twelve minutes; an earlier request can then no longer arrive.
    pub fn moves_on(&self) {
        self.desk.minute.fetch_add(MINUTES, Ordering::SeqCst);
    }

    /// Waits until something is held back.
    ///
    /// # Panics
    /// If nothing is held back within minutes.
    pub fn wait(&self, what: &str) {
        assert!(self.keeps_within(Duration::from_secs(240)), "nothing was kept of {what}");
    }

    /// Whether something is held back in time.
    ///
    /// # Panics
    /// If one of its threads has failed.
    pub fn keeps_within(&self, time: Duration) -> bool {
        self.kept.lock().expect("the desk").recv_timeout(time).is_ok()
    }
}

impl Desk {
    /// Serves one request and closes the connection; clients then open another.
    fn serve(&self, mut client: TcpStream) {
        let Some((head, body)) = request(&mut client) else { return };
        let line = head.lines().next().unwrap_or_default();
        let operation = line.rsplit_once("/operation/").and_then(|(_, rest)| rest.split(' ').next());
        let kept = operation.and_then(|operation| {
            let mut orders = self.orders.lock().ok()?;
            orders.remove(operation)
        });
        match kept {
            Some(Keeps::Request) => return self.keep(client),
            Some(Keeps::Late) => {
                self.tell();
                let Ok(open) = self.open.lock() else { return };
                let _open = self.opened.wait_while(open, |open| !*open);
            }
            Some(Keeps::Answer) | None => {}
        }
        let Some(answer) = ask(&self.world, &head, &body) else { return };
        if kept == Some(Keeps::Answer) {
            return self.keep(client);
        }
        let _ = client.write_all(&self.dated(answer));
    }

    fn tell(&self) {
        if let Ok(told) = self.told.lock() {
            let _ = told.send(());
        }
    }

    /// Holds on until the program closes the connection, which happens when it is killed.
    fn keep(&self, mut client: TcpStream) {
        self.tell();
        let _ = client.read(&mut [0]);
    }

    /// Returns a response with its date moved forward.
    fn dated(&self, mut answer: Vec<u8>) -> Vec<u8> {
        const NAME: &[u8] = b"\r\ndate: ";
        let minutes = self.minute.load(Ordering::SeqCst);
        let place = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|part| part == what);
        let (1.., Some(name)) = (minutes, place(&answer, NAME)) else { return answer };
        let from = name + NAME.len();
        let Some(length) = place(&answer[from..], b"\r\n") else { return answer };
        let told = String::from_utf8_lossy(&answer[from..from + length]).into_owned();
        let told = jiff::fmt::rfc2822::parse(&told).expect("the world's answers bear a date").timestamp();
        let later = told + jiff::SignedDuration::from_mins(i64::from(minutes));
        let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&later);
        answer.splice(from..from + length, date.expect("a date of this century").into_bytes());
        answer
    }
}

/// Reads the head and body of a request.
pub(crate) fn request(client: &mut TcpStream) -> Option<(String, Vec<u8>)> {
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

/// Returns the world's complete response.
pub(crate) fn ask(world: &str, head: &str, body: &[u8]) -> Option<Vec<u8>> {
    let mut stream = TcpStream::connect(world).ok()?;
    let closing = head.replacen("\r\n", "\r\nconnection: close\r\n", 1);
    stream.write_all(closing.as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).ok()?;
    Some(answer)
}
