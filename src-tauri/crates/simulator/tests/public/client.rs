//! A client on bare sockets: sends requests in either protocol and returns the response as it came, head and body.

use liftdeck_simulator::Simulator;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The protocol of a request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Protocol {
    /// Smithy RPC v2 CBOR.
    Cbor,
    /// AWS JSON.
    Json,
}

/// Calls a simulator in one region, and keeps every response.
pub(crate) struct Client {
    endpoint: String,
    region: String,
    /// The responses, in the order of the requests.
    pub(crate) answers: Vec<Vec<u8>>,
}

impl Client {
    /// Creates a client of a region.
    pub(crate) fn new(simulator: &Simulator, region: &str) -> Client {
        Client { endpoint: simulator.endpoint().to_owned(), region: region.to_owned(), answers: Vec::new() }
    }

    /// Calls an operation of GameLift; returns its output, or null for CBOR.
    pub(crate) async fn gamelift(&mut self, protocol: Protocol, operation: &str, input: &Value) -> Value {
        match protocol {
            Protocol::Json => self.json("GameLift", operation, input).await,
            Protocol::Cbor => {
                let mut encoder = minicbor::Encoder::new(Vec::new());
                encode(input, &mut encoder);
                let start = format!("POST /service/GameLift/operation/{operation}");
                let headers = "smithy-protocol: rpc-v2-cbor\r\ncontent-type: application/cbor\r\n";
                self.exchange(&start, headers, &encoder.into_writer()).await;
                Value::Null
            }
        }
    }

    /// Calls an operation of an AWS JSON service by its target.
    pub(crate) async fn json(&mut self, target: &str, operation: &str, input: &Value) -> Value {
        let headers =
            format!("x-amz-target: {target}.{operation}\r\ncontent-type: application/x-amz-json-1.1\r\n");
        self.exchange("POST /", &headers, input.to_string().as_bytes()).await;
        self.last()
    }

    /// Calls an action of SNS, in the Query protocol.
    pub(crate) async fn form(&mut self, form: &str) -> String {
        let headers = "content-type: application/x-www-form-urlencoded\r\n";
        self.exchange("POST /", headers, form.as_bytes()).await;
        String::from_utf8(self.body().to_vec()).unwrap()
    }

    /// Requests the truth of the region from the control plane.
    pub(crate) async fn truth(&mut self) -> Value {
        let start = format!("GET /_simulator/truth?region={}", self.region);
        self.exchange(&start, "", b"").await;
        self.last()
    }

    /// Whether the last response was a success.
    pub(crate) fn succeeded(&self) -> bool {
        self.answers.last().unwrap().starts_with(b"HTTP/1.1 200")
    }

    fn body(&self) -> &[u8] {
        let answer = self.answers.last().unwrap();
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        &answer[end + 4..]
    }

    fn last(&self) -> Value {
        serde_json::from_slice(self.body()).unwrap()
    }

    async fn exchange(&mut self, start: &str, headers: &str, body: &[u8]) {
        let scope = format!("AKIDEXAMPLE/20261120/{}/any/aws4_request", self.region);
        let head = format!(
            "{start} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n{headers}content-length: {}\r\n\
             authorization: AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00\r\n\r\n",
            body.len()
        );
        let mut stream = TcpStream::connect(self.endpoint.trim_start_matches("http://")).await.unwrap();
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(body).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        self.answers.push(answer);
    }
}

fn encode(value: &Value, encoder: &mut minicbor::Encoder<Vec<u8>>) {
    match value {
        Value::String(text) => _ = encoder.str(text).unwrap(),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => _ = encoder.i64(whole).unwrap(),
            None => _ = encoder.f64(number.as_f64().unwrap()).unwrap(),
        },
        Value::Bool(value) => _ = encoder.bool(*value).unwrap(),
        Value::Null => _ = encoder.null().unwrap(),
        Value::Array(items) => {
            encoder.array(items.len() as u64).unwrap();
            items.iter().for_each(|item| encode(item, encoder));
        }
        Value::Object(members) => {
            encoder.map(members.len() as u64).unwrap();
            for (name, value) in members {
                encoder.str(name).unwrap();
                encode(value, encoder);
            }
        }
    }
}
