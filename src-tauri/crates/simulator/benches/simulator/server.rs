//! The two servers that are measured: the simulator, and the floor.

use std::convert::Infallible;
use std::io::Read;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use liftdeck_simulator::{Scenario, Simulator, SimulatorOptions};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

fn one_worker() -> Runtime {
    Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// Blocks until the process that started this one closes its standard input.
fn until_unwanted() {
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

/// Serves a scenario at the speed of the clock, without request rates.
pub(crate) fn simulator(scenario: Scenario) {
    let runtime = one_worker();
    let options = SimulatorOptions { scenario, throttle: false, ..SimulatorOptions::default() };
    let simulator = runtime.block_on(Simulator::start(options)).unwrap();
    println!("{}", simulator.endpoint());
    until_unwanted();
    runtime.block_on(simulator.shutdown());
}

/// Answers every request with the same body of that many bytes.
pub(crate) fn floor(bytes: usize) {
    let runtime = one_worker();
    let body = Bytes::from(vec![b'x'; bytes]);
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    println!("http://{}", listener.local_addr().unwrap());
    runtime.spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            let body = body.clone();
            let answer = service_fn(move |request: Request<Incoming>| {
                let body = body.clone();
                async move {
                    let read = request.into_body().collect().await;
                    assert!(read.is_ok(), "the load breaks no request off");
                    let mut response = Response::new(Full::new(body));
                    let content_type = hyper::header::HeaderValue::from_static("application/cbor");
                    response.headers_mut().insert(hyper::header::CONTENT_TYPE, content_type);
                    Ok::<_, Infallible>(response)
                }
            });
            let mut http = http1::Builder::new();
            http.auto_date_header(false);
            tokio::spawn(http.serve_connection(TokioIo::new(stream), answer));
        }
    });
    until_unwanted();
}
