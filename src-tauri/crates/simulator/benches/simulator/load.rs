//! The load: bare sockets that request pages one after the other over connections that stay open. This measures the
//! server and the kernel, not a client.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Connections that send requests at the same time.
const CONNECTIONS: usize = 4;

/// The protocol of a request.
#[derive(Clone, Copy)]
pub(crate) enum Protocol {
    /// Smithy RPC v2 CBOR.
    Cbor,
    /// AWS JSON 1.1.
    Json,
}

impl Protocol {
    /// The name as printed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Protocol::Cbor => "CBOR",
            Protocol::Json => "JSON",
        }
    }

    /// Finds the protocol with this name.
    pub(crate) fn read(name: &str) -> Option<Protocol> {
        [Protocol::Cbor, Protocol::Json].into_iter().find(|protocol| protocol.name() == name)
    }
}

/// What is requested.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Asked {
    /// The active sessions of all fleets in all regions, page after page by their tokens, without a limit.
    Walk,
    /// Full pages only: a hundred active sessions of one fleet after the other.
    Full,
    /// Whatever the server answers.
    Fixed,
}

impl Asked {
    /// The name as printed.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Asked::Walk => "all pages by their tokens",
            Asked::Full => "full pages of 100",
            Asked::Fixed => "ready bytes",
        }
    }

    /// The word passed to the load's process.
    pub(crate) fn role(self) -> &'static str {
        match self {
            Asked::Walk => "walk",
            Asked::Full => "full",
            Asked::Fixed => "fixed",
        }
    }

    /// Finds what that word stands for.
    pub(crate) fn read(word: &str) -> Option<Asked> {
        [Asked::Walk, Asked::Full, Asked::Fixed].into_iter().find(|asked| asked.role() == word)
    }
}

/// A fleet and its region.
type Place = (String, String);

fn request(protocol: Protocol, region: &str, operation: &str, input: &Value) -> Vec<u8> {
    let (start, headers, body) = match protocol {
        Protocol::Cbor => (
            format!("POST /service/GameLift/operation/{operation}"),
            "smithy-protocol: rpc-v2-cbor\r\ncontent-type: application/cbor\r\n".to_owned(),
            cbor(input),
        ),
        Protocol::Json => (
            "POST /".to_owned(),
            format!("x-amz-target: GameLift.{operation}\r\ncontent-type: application/x-amz-json-1.1\r\n"),
            input.to_string().into_bytes(),
        ),
    };
    let scope = format!("AKIDEXAMPLE/20261120/{region}/gamelift/aws4_request");
    let mut bytes = format!(
        "{start} HTTP/1.1\r\nhost: 127.0.0.1\r\n{headers}content-length: {}\r\n\
         authorization: AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00\r\n\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend_from_slice(&body);
    bytes
}

/// Encodes a flat structure of texts and whole numbers.
fn cbor(input: &Value) -> Vec<u8> {
    let mut encoder = minicbor::Encoder::new(Vec::new());
    let members = input.as_object().unwrap();
    encoder.map(members.len() as u64).unwrap();
    for (name, value) in members {
        encoder.str(name).unwrap();
        match value {
            Value::String(text) => encoder.str(text).unwrap(),
            number => encoder.i64(number.as_i64().unwrap()).unwrap(),
        };
    }
    encoder.into_writer()
}

/// A connection and what it last read.
struct Connection {
    stream: TcpStream,
    bytes: Vec<u8>,
}

impl Connection {
    fn open(endpoint: &str) -> Connection {
        let stream = TcpStream::connect(endpoint.trim_start_matches("http://")).unwrap();
        stream.set_nodelay(true).unwrap();
        Connection { stream, bytes: vec![0; 1 << 20] }
    }

    /// Sends a request and returns the body of the response, which has to be a success.
    fn ask(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).unwrap();
        let (mut filled, mut body) = (0, None);
        loop {
            let read = self.stream.read(&mut self.bytes[filled..]).unwrap();
            assert!(read > 0, "the connection ended");
            filled += read;
            if body.is_none() {
                body = body_of(&self.bytes[..filled]);
            }
            if let Some((start, length)) = body {
                if self.bytes.len() < start + length {
                    self.bytes.resize(start + length, 0);
                }
                if filled >= start + length {
                    return &self.bytes[start..start + length];
                }
            }
        }
    }
}

/// Returns where the body begins and how long it is, once the head has arrived.
fn body_of(bytes: &[u8]) -> Option<(usize, usize)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    let length = head.split("content-length: ").nth(1).unwrap().split("\r\n").next().unwrap();
    Some((end + 4, length.parse().unwrap()))
}

/// The token at the end of a page, if there is one.
fn token(protocol: Protocol, body: &[u8]) -> Option<String> {
    const NAME: &[u8] = b"NextToken";
    let tail = &body[body.len().saturating_sub(400)..];
    let at = tail.windows(NAME.len()).rposition(|window| window == NAME)? + NAME.len();
    let text = match protocol {
        // After this type byte, one byte holds the length of the token.
        Protocol::Cbor if tail[at] == 0x78 => &tail[at + 2..at + 2 + usize::from(tail[at + 1])],
        Protocol::Cbor => &tail[at + 1..at + 1 + usize::from(tail[at] & 0x1f)],
        Protocol::Json => tail[at + 3..].split(|byte| *byte == b'"').next()?,
    };
    Some(String::from_utf8(text.to_vec()).unwrap())
}

fn places(connection: &mut Connection) -> Vec<Place> {
    const REGIONS: [&str; 10] = [
        "eu-west-1",
        "us-east-1",
        "ap-northeast-1",
        "eu-central-1",
        "us-west-2",
        "ap-southeast-1",
        "eu-north-1",
        "sa-east-1",
        "ap-northeast-2",
        "ap-southeast-2",
    ];
    let mut places = Vec::new();
    for region in REGIONS {
        let body = connection.ask(&request(Protocol::Json, region, "ListFleets", &json!({})));
        let listed: Value = serde_json::from_slice(body).unwrap();
        let fleets = listed["FleetIds"].as_array().unwrap().iter();
        places.extend(fleets.map(|fleet| (region.to_owned(), fleet.as_str().unwrap().to_owned())));
    }
    places
}

fn page(protocol: Protocol, (region, fleet): &Place, more: &Value) -> Vec<u8> {
    let mut input = json!({ "FleetId": fleet, "StatusFilter": "ACTIVE" });
    let members = input.as_object_mut().unwrap();
    members.extend(more.as_object().unwrap().clone());
    request(protocol, region, "DescribeGameSessions", &input)
}

/// The requests whose answers are full pages.
fn full(connection: &mut Connection, protocol: Protocol, places: &[Place]) -> Vec<Vec<u8>> {
    let requests = places.iter().map(|place| page(protocol, place, &json!({ "Limit": 100 })));
    let full =
        requests.filter(|request| token(protocol, connection.ask(request)).is_some()).collect::<Vec<_>>();
    assert!(!full.is_empty(), "no fleet has more than a page");
    full
}

/// Sends requests until the time is over; returns pages and bytes.
fn ask_on(endpoint: &str, protocol: Protocol, work: &Work, first: usize, until: Instant) -> (u64, u64) {
    let mut connection = Connection::open(endpoint);
    let (mut pages, mut bytes, mut at, mut next) = (0, 0, first, None::<String>);
    while Instant::now() < until {
        let body = match work {
            Work::Requests(requests) => {
                at += 1;
                connection.ask(&requests[at % requests.len()])
            }
            Work::Places(places) => {
                let more = next.map_or(json!({}), |token| json!({ "NextToken": token }));
                let body = connection.ask(&page(protocol, &places[at % places.len()], &more));
                next = token(protocol, body);
                at += usize::from(next.is_none());
                body
            }
        };
        pages += 1;
        bytes += body.len() as u64;
    }
    (pages, bytes)
}

/// The work of the connections.
enum Work {
    /// Requests in turn.
    Requests(Vec<Vec<u8>>),
    /// Listings of fleets in turn.
    Places(Vec<Place>),
}

/// Loads a server. Prints first that it begins, then pages, bytes and seconds.
pub(crate) fn run(endpoint: &str, protocol: Protocol, asked: Asked, seconds: f64) {
    let mut connection = Connection::open(endpoint);
    let work = match asked {
        Asked::Fixed => {
            Work::Requests(vec![request(protocol, "eu-west-1", "DescribeGameSessions", &json!({}))])
        }
        Asked::Walk => Work::Places(places(&mut connection)),
        Asked::Full => {
            let places = places(&mut connection);
            Work::Requests(full(&mut connection, protocol, &places))
        }
    };
    println!("begins");
    let begun = Instant::now();
    let until = begun + Duration::from_secs_f64(seconds);
    let (pages, bytes) = std::thread::scope(|scope| {
        let (work, step) = (&work, 41);
        let threads: Vec<_> = (0..CONNECTIONS)
            .map(|number| scope.spawn(move || ask_on(endpoint, protocol, work, number * step, until)))
            .collect();
        let each = threads.into_iter().map(|thread| thread.join().unwrap());
        each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    });
    println!("{pages} {bytes} {}", begun.elapsed().as_secs_f64());
}
