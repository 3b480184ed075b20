//! A receiver of what is told about alerts: keeps every request, and answers as it is told to.
//!
//! Checks what is documented of each service, so that a message no service would take fails here, too.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;

/// One request.
#[derive(Clone, Debug)]
pub struct Received {
    /// Path.
    pub path: String,
    /// Headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body as it came.
    pub text: String,
    /// Body.
    pub body: Value,
}

impl Received {
    /// Returns a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The answer of a receiver that gives none.
const HANGS_UP: &str = "";

/// A receiver on loopback.
pub struct Receiver {
    /// Its address.
    pub address: String,
    desk: Arc<Desk>,
}

struct Desk {
    received: Mutex<Vec<Received>>,
    /// Answers to the next requests; 200 once they are used up.
    answers: Mutex<Vec<String>>,
    /// The longest time before an answer.
    slowness: Duration,
}

impl Receiver {
    /// Opens a receiver that takes up to `slowness` for an answer.
    ///
    /// # Panics
    /// If no port is free.
    pub fn open(slowness: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("its address"));
        let (received, answers) = (Mutex::default(), Mutex::default());
        let desk = Arc::new(Desk { received, answers, slowness });
        let shared = Arc::clone(&desk);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let desk = Arc::clone(&shared);
                std::thread::spawn(move || desk.serve(stream));
            }
        });
        Self { address, desk }
    }

    /// Gives this answer, status and headers, to the next request that has none yet.
    pub fn answer_next(&self, answer: &str) {
        self.desk.answers.lock().unwrap_or_else(PoisonError::into_inner).push(answer.to_owned());
    }

    /// Closes the connection of the next request that has no answer yet, without one.
    pub fn hang_up_next(&self) {
        self.answer_next(HANGS_UP);
    }

    /// Returns what was received so far at a path.
    pub fn at(&self, path: &str) -> Vec<Received> {
        let received = self.desk.received.lock().unwrap_or_else(PoisonError::into_inner);
        received.iter().filter(|one| one.path == path).cloned().collect()
    }
}

impl Desk {
    fn serve(&self, mut stream: TcpStream) {
        while let Some(received) = read(&mut stream) {
            // Recorded before it is answered, as a receiver does that then dies or is not heard.
            let wrong = wrong_with(&received);
            self.received.lock().unwrap_or_else(PoisonError::into_inner).push(received);
            std::thread::sleep(self.slowness.mul_f64(fastrand::f64()));
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            let ordered = if answers.is_empty() { None } else { Some(answers.remove(0)) };
            drop(answers);
            let (status, body) = match (wrong, ordered) {
                (Some(why), _) => ("400 Bad Request".to_owned(), why),
                (None, Some(answer)) if answer == HANGS_UP => return,
                (None, Some(answer)) => (answer, String::new()),
                (None, None) => ("200 OK".to_owned(), "ok".to_owned()),
            };
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            if stream.write_all(head.as_bytes()).is_err() {
                return;
            }
        }
    }
}

/// Reads one request; `None` at the end of the connection.
fn read(stream: &mut TcpStream) -> Option<Received> {
    let mut bytes = Vec::new();
    let mut piece = [0; 8_192];
    let head_end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&piece[..count]);
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
        .collect();
    let length: usize = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .and_then(|(_, value)| value.parse().ok())?;
    while bytes.len() < head_end + 4 + length {
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&piece[..count]);
    }
    let text = String::from_utf8_lossy(&bytes[head_end + 4..]).into_owned();
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Some(Received { path, headers, text, body })
}

/// What the service behind a path would refuse, by its documentation; `None` if it would take it.
fn wrong_with(received: &Received) -> Option<String> {
    let body = &received.body;
    let lacks = |names: &[&str]| {
        names
            .iter()
            .find(|name| body.pointer(name).is_none_or(Value::is_null))
            .map(|name| format!("no {name}"))
    };
    let longer = |at: &str, most: usize| {
        let length = body.pointer(at).and_then(Value::as_str).map_or(0, |text| text.chars().count());
        (length > most).then(|| format!("{at} is longer than {most}"))
    };
    match received.path.as_str() {
        "/pagerduty" => lacks(&["/routing_key", "/event_action", "/dedup_key"])
            .or_else(|| longer("/dedup_key", 255))
            .or_else(|| match body["event_action"].as_str() {
                Some("trigger") => lacks(&["/payload/summary", "/payload/source", "/payload/severity"])
                    .or_else(|| longer("/payload/summary", 1_024))
                    .or_else(|| {
                        let severity = body["payload"]["severity"].as_str().unwrap_or_default();
                        let known = ["critical", "error", "warning", "info"].contains(&severity);
                        (!known).then(|| format!("severity {severity}"))
                    }),
                Some("acknowledge" | "resolve") => None,
                other => Some(format!("event_action {other:?}")),
            }),
        "/slack" => lacks(&["/text", "/blocks"]).or_else(|| {
            let blocks = body["blocks"].as_array().map_or(0, Vec::len);
            (blocks == 0 || blocks > 50).then(|| format!("{blocks} blocks"))
        }),
        _ => body.is_null().then(|| "no JSON".to_owned()),
    }
}
