//! A server on loopback that reads HTTP requests and answers as the test specifies.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use liftdeck_gateway::{
    CallerIdentity, ConnectionSpec, CredentialSource, Gateway, Grant, Operator, Patience, RateTable, Reader,
};
use liftdeck_model::Region;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request as received.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// Operation, from the path or the `x-amz-target` header.
    pub(crate) operation: String,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// The account that the keys of these tests belong to.
pub(crate) const ACCOUNT: &str = "111122223333";

/// The caller that AWS would name for this user.
pub(crate) fn caller(user: &str) -> CallerIdentity {
    CallerIdentity { account: ACCOUNT.into(), arn: format!("arn:aws:iam::{ACCOUNT}:user/{user}") }
}

/// The operation that asks whose credentials these are.
pub(crate) const QUESTION: &str = "GetCallerIdentity";

impl Request {
    /// Whether it asks whose credentials these are.
    pub(crate) fn is_question(&self) -> bool {
        self.operation == QUESTION
    }

    /// Whether it is signed with this key.
    pub(crate) fn is_signed_with(&self, key: &str) -> bool {
        self.head.contains(&format!("Credential={key}/"))
    }

    /// Whether the body holds this text somewhere.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        self.body.windows(text.len()).any(|window| window == text.as_bytes())
    }
}

/// What to answer.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A complete response.
    Whole { status: u16, headers: Vec<(&'static str, String)>, body: Vec<u8> },
    /// Declares the whole body, sends this much of it and closes.
    Cut { body: Vec<u8>, sent: usize },
    /// Sends headers, then one byte at a time, for ever.
    Drip,
    /// Reads the request and says nothing.
    Silence,
    /// Closes with a reset.
    Reset,
}

impl Answer {
    /// 200 with a CBOR body.
    pub(crate) fn cbor(body: Vec<u8>) -> Self {
        Self::status(200, body)
    }

    /// Any status with a body and a request id.
    pub(crate) fn status(status: u16, body: Vec<u8>) -> Self {
        let headers =
            vec![("x-amzn-requestid", "req-1".to_owned()), ("smithy-protocol", "rpc-v2-cbor".to_owned())];
        Self::Whole { status, headers, body }
    }

    /// Whether only a timeout ends the wait for it.
    pub(crate) const fn is_endless(&self) -> bool {
        matches!(self, Self::Drip | Self::Silence)
    }

    /// A response that names this caller.
    pub(crate) fn caller(caller: &CallerIdentity) -> Self {
        let body = format!(
            "<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><GetCallerIdentityResult>\
             <Arn>{}</Arn><UserId>AIDA</UserId><Account>{}</Account></GetCallerIdentityResult>\
             </GetCallerIdentityResponse>",
            caller.arn, caller.account
        );
        let headers = vec![("content-type", "text/xml".to_owned())];
        Self::Whole { status: 200, headers, body: body.into_bytes() }
    }

    /// An AWS error in CBOR.
    pub(crate) fn error(status: u16, code: &str, message: &str) -> Self {
        let mut body = Vec::new();
        let mut encoder = minicbor::Encoder::new(&mut body);
        encoder
            .map(2)
            .unwrap()
            .str("__type")
            .unwrap()
            .str(code)
            .unwrap()
            .str("Message")
            .unwrap()
            .str(message)
            .unwrap();
        Self::status(status, body)
    }
}

/// A running server.
pub(crate) struct Server {
    pub(crate) endpoint: String,
    requests: Arc<Mutex<Vec<Request>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Server {
    /// Answers the identity check with `ops`. Answers every other request with what `script` returns for it and for
    /// its number among those, from 0.
    pub(crate) async fn start(script: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static) -> Self {
        Self::listen(script, |request| request.is_question().then(|| Answer::caller(&caller("ops")))).await
    }

    /// Answers every request with what `script` returns for it, the identity check included.
    pub(crate) async fn start_asked(
        script: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static,
    ) -> Self {
        Self::listen(script, |_| None).await
    }

    async fn listen(
        script: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static,
        aside: fn(&Request) -> Option<Answer>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (script, seen) = (Arc::new(script), Arc::clone(&requests));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&script), aside, Arc::clone(&seen)));
            }
        });
        Self { endpoint, requests, task }
    }

    /// All requests so far, except the identity checks that `start` answers.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// A gateway to this server whose budget never waits.
    pub(crate) async fn gateway(&self, patience: Patience) -> Gateway {
        Gateway::connect(self.spec(patience)).await.unwrap()
    }

    pub(crate) async fn reader(&self) -> Reader {
        self.gateway(patient()).await.reader(&region()).unwrap()
    }

    /// How many requests were sent, identity checks excepted, by the gateway's own count. The server may not yet have
    /// seen those that the gateway gave up at once.
    pub(crate) fn attempts(gateway: &Gateway) -> usize {
        let operations = gateway.usage().operations;
        let calls: u64 =
            operations.iter().filter(|usage| usage.operation != QUESTION).map(|usage| usage.calls).sum();
        usize::try_from(calls).unwrap()
    }

    /// An operator with this grant, and the gateway.
    #[allow(clippy::disallowed_methods, reason = "changes are what is tested")]
    pub(crate) async fn operator(&self, patience: Patience, grant: &Grant) -> (Gateway, Operator) {
        let gateway = self.gateway(patience).await;
        let operator = gateway.operator(&region(), grant).await.unwrap();
        (gateway, operator)
    }

    pub(crate) fn spec(&self, patience: Patience) -> ConnectionSpec {
        ConnectionSpec {
            name: "test".to_owned(),
            endpoint_url: Some(self.endpoint.clone()),
            regions: vec![region()],
            budget_share: 1.0,
            rates: RateTable::published().with("DescribeGameSessions", 1_000.0),
            credentials: CredentialSource::Keys {
                access_key_id: "AKIDEXAMPLE".to_owned(),
                secret_access_key: "secret".to_owned(),
            },
            patience,
            ..ConnectionSpec::default()
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(crate) fn region() -> Region {
    Region::from("eu-west-1")
}

/// Time limits for a server that answers, however slow the machine is.
pub(crate) fn patient() -> Patience {
    Patience {
        connect: Duration::from_mins(1),
        read: Duration::from_mins(1),
        attempt: Duration::from_mins(1),
        call: Duration::from_mins(5),
        attempts: 3,
        budget: Duration::from_mins(5),
        proof: Duration::from_mins(1),
    }
}

/// Time limits for a server that never completes its response. What it does answer, such as whose the credentials are,
/// comes in time on a busy machine too.
pub(crate) fn impatient() -> Patience {
    Patience { read: Duration::from_secs(3), attempt: Duration::from_secs(4), ..patient() }
}

async fn serve(
    mut stream: TcpStream,
    script: Arc<impl Fn(&Request, usize) -> Answer>,
    aside: fn(&Request) -> Option<Answer>,
    seen: Arc<Mutex<Vec<Request>>>,
) {
    while let Some(request) = read(&mut stream).await {
        if let Some(answer) = aside(&request) {
            if write(&mut stream, answer).await.is_none() {
                return;
            }
            continue;
        }
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(request.clone());
            seen.len() - 1
        };
        if write(&mut stream, script(&request, number)).await.is_none() {
            return;
        }
    }
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&chunk[..count]);
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let header = |name: &str| {
        head.lines().filter_map(|line| line.split_once(':')).find(|(key, _)| key.eq_ignore_ascii_case(name))
    };
    let length: usize = header("content-length").map_or(0, |(_, value)| value.trim().parse().unwrap());
    let mut body = bytes.split_off(end);
    while body.len() < length {
        let mut chunk = [0; 4096];
        let count = stream.read(&mut chunk).await.ok().filter(|count| *count > 0)?;
        body.extend_from_slice(&chunk[..count]);
    }
    let operation = match header("x-amz-target") {
        Some((_, target)) => target.rsplit('.').next().unwrap().trim().to_owned(),
        None if body.starts_with(b"Action=GetCallerIdentity") => QUESTION.to_owned(),
        None => head.split_whitespace().nth(1).unwrap().rsplit('/').next().unwrap().to_owned(),
    };
    Some(Request { operation, head, body })
}

/// `None` when the connection must not be used again.
async fn write(stream: &mut TcpStream, answer: Answer) -> Option<()> {
    match answer {
        Answer::Whole { status, headers, body } => {
            let mut head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len());
            for (name, value) in headers {
                head.push_str(&format!("{name}: {value}\r\n"));
            }
            stream.write_all(format!("{head}\r\n").as_bytes()).await.ok()?;
            stream.write_all(&body).await.ok()
        }
        Answer::Cut { body, sent } => {
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.write_all(head.as_bytes()).await.ok()?;
            stream.write_all(&body[..sent]).await.ok()?;
            None
        }
        Answer::Drip => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n").await.ok()?;
            loop {
                stream.write_all(b"\xa1").await.ok()?;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        Answer::Silence => {
            tokio::time::sleep(Duration::from_mins(10)).await;
            None
        }
        Answer::Reset => {
            // With zero linger, closing sends a reset.
            stream.set_zero_linger().ok()?;
            None
        }
    }
}
