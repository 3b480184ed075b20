//! How fast the simulator answers: DescribeGameSessions pages in CBOR over keep-alive connections, for some seconds.
//!
//! Run it in release: `cargo run --release -p liftdeck-simulator --example pages`. The client is bare sockets, so what is
//! measured is the simulator and the kernel.

use std::io::Write;
use std::time::{Duration, Instant};

use liftdeck_simulator::{Simulator, SimulatorOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const MEASURED: Duration = Duration::from_secs(3);

type Failure = Box<dyn std::error::Error + Send + Sync>;

fn request(target: &str, operation: &str, body: &[u8]) -> Vec<u8> {
    let scope = "AKIDEXAMPLE/20261120/eu-west-1/gamelift/aws4_request";
    let mut request = format!(
        "POST /service/{target}/operation/{operation} HTTP/1.1\r\nhost: 127.0.0.1\r\nsmithy-protocol: rpc-v2-cbor\r\n\
         content-type: application/cbor\r\ncontent-length: {}\r\n\
         authorization: AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend_from_slice(body);
    request
}

/// Asks once and gives back the body's length; `bytes` is scratch space.
async fn exchange(stream: &mut TcpStream, request: &[u8], bytes: &mut Vec<u8>) -> Result<usize, Failure> {
    stream.write_all(request).await?;
    bytes.clear();
    loop {
        if stream.read_buf(bytes).await? == 0 {
            return Err("the connection ended".into());
        }
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else { continue };
        let head = std::str::from_utf8(&bytes[..end])?;
        let length = head.split("content-length: ").nth(1).and_then(|rest| rest.split("\r\n").next());
        let length: usize = length.ok_or("no length")?.parse()?;
        if bytes.len() >= end + 4 + length {
            return Ok(length);
        }
    }
}

async fn load(address: String, request: Vec<u8>) -> Result<(u64, usize), Failure> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (mut bytes, mut pages, mut size) = (Vec::with_capacity(1 << 20), 0, 0);
    let began = Instant::now();
    while began.elapsed() < MEASURED {
        size = exchange(&mut stream, &request, &mut bytes).await?;
        pages += 1;
    }
    Ok((pages, size))
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let options = SimulatorOptions { throttle: false, ..SimulatorOptions::default() };
    let began = Instant::now();
    let simulator = Simulator::start(options).await?;
    let mut out = std::io::stdout();
    writeln!(out, "ready after {:.0?}", began.elapsed())?;
    let address = simulator.endpoint().trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).await?;
    let mut bytes = Vec::new();
    exchange(&mut stream, &request("GameLift", "ListFleets", &[0xa0]), &mut bytes).await?;
    let start = bytes.windows(6).position(|window| window == b"fleet-").ok_or("no fleet")?;
    let fleet = bytes.get(start..start + 42).ok_or("no fleet")?.to_vec();
    let mut body = b"\xa2\x67FleetId\x78\x2a".to_vec();
    body.extend_from_slice(&fleet);
    body.extend_from_slice(b"\x65Limit\x18\x64");
    for connections in [1, 4, 8] {
        let asked = request("GameLift", "DescribeGameSessions", &body);
        let tasks: Vec<_> =
            (0..connections).map(|_| tokio::spawn(load(address.clone(), asked.clone()))).collect();
        let (mut pages, mut size) = (0, 0);
        for task in tasks {
            let (some, bytes) = task.await??;
            pages += some;
            size = bytes;
        }
        let rate = pages as f64 / MEASURED.as_secs_f64();
        writeln!(out, "{connections} connections: {rate:.0} pages/s of 100 sessions, {size} bytes each")?;
    }
    simulator.shutdown().await;
    Ok(())
}
