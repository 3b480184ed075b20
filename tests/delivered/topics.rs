//! Topics and queues of moto, which is another simulator of SNS and SQS than ours.

use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::time::Duration;

use liftdeck_tests::program::{Group, eventually};
use liftdeck_tests::sqs::Queue;
use serde_json::{Value, json};

/// The account of the simulated world, so that topics and fleets belong together.
const ACCOUNT: &str = "111122223333";
/// The Region of every topic.
pub(crate) const REGION: &str = "eu-west-1";
/// The longest it takes to start: its Python imports much, beside other steps.
const STARTS: Duration = Duration::from_secs(120);

/// A running moto; dropping it ends it.
pub(crate) struct Moto {
    /// Its address.
    pub(crate) address: String,
    _process: Group,
    _folder: tempfile::TempDir,
}

impl Moto {
    /// Starts one on a free port, by the Python that `LIFTDECK_PYTHON` names.
    pub(crate) fn start() -> Self {
        let python = std::env::var("LIFTDECK_PYTHON").expect("run this by: cargo xtask test delivered");
        let folder = tempfile::tempdir().expect("a folder");
        let log = folder.path().join("log");
        let mut process = Command::new(python);
        process
            .args(["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"])
            .env("MOTO_ACCOUNT_ID", ACCOUNT)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&log).expect("a file"));
        let process = Group::spawn(&mut process);
        let address = eventually(STARTS, "moto listens", || {
            let said = fs::read_to_string(&log).ok()?;
            let line = said.lines().find_map(|line| line.split("Running on ").nth(1).map(str::to_owned))?;
            Some(line.trim().to_owned())
        });
        Self { address, _process: process, _folder: folder }
    }

    /// Makes a topic, FIFO if its name says so, with a queue of the same kind subscribed to it.
    pub(crate) fn topic(&self, name: &str) -> Topic {
        let is_fifo = name.ends_with(".fifo");
        let attribute = |fields: &str| if is_fifo { fields.to_owned() } else { String::new() };
        let arn = format!("arn:aws:sns:{REGION}:{ACCOUNT}:{name}");
        let fifo = attribute("&Attributes.entry.1.key=FifoTopic&Attributes.entry.1.value=true");
        self.sns(&format!("Action=CreateTopic&Name={name}{fifo}"));
        let mut queue = Queue::at(&self.address, REGION, "");
        let attributes = if is_fifo { json!({ "FifoQueue": "true" }) } else { json!({}) };
        let made = queue.ask("CreateQueue", &json!({ "QueueName": name, "Attributes": attributes }));
        queue.url = made["QueueUrl"].as_str().expect("a URL").to_owned();
        let endpoint = format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{name}");
        self.sns(&format!("Action=Subscribe&TopicArn={arn}&Protocol=sqs&Endpoint={endpoint}"));
        Topic { arn, queue }
    }

    fn sns(&self, request: &str) {
        let scope = format!("AKIDEXAMPLE/20261121/{REGION}/sns/aws4_request");
        let signed = format!("AWS4-HMAC-SHA256 Credential={scope}, SignedHeaders=host, Signature=00");
        let post = ureq::post(&self.address).header("authorization", signed);
        let post = post.header("content-type", "application/x-www-form-urlencoded");
        post.send(format!("{request}&Version=2010-03-31")).expect(request);
    }
}

/// A topic with a queue that hears it.
pub(crate) struct Topic {
    /// Its ARN.
    pub(crate) arn: String,
    queue: Queue,
}

impl Topic {
    /// Takes every message out of the queue, in the order they are handed out. Only at the end: moto knows a repeat by
    /// what is still in the queue.
    pub(crate) fn take(&self) -> Vec<Heard> {
        let mut heard = Vec::new();
        loop {
            let ask =
                json!({ "QueueUrl": self.queue.url, "MaxNumberOfMessages": 10, "AttributeNames": ["All"] });
            let got = self.queue.ask("ReceiveMessage", &ask);
            let messages = got["Messages"].as_array().cloned().unwrap_or_default();
            if messages.is_empty() {
                return heard;
            }
            for message in messages {
                let one = json!({ "QueueUrl": self.queue.url, "ReceiptHandle": message["ReceiptHandle"] });
                self.queue.ask("DeleteMessage", &one);
                heard.push(Heard::of(&message));
            }
        }
    }

    /// Whether a message that contains this text is in the queue; it stays there.
    pub(crate) fn has(&self, text: &str) -> bool {
        let ask = json!({ "QueueUrl": self.queue.url, "MaxNumberOfMessages": 10, "VisibilityTimeout": 0 });
        let got = self.queue.ask("ReceiveMessage", &ask);
        let bodies = got["Messages"].as_array().into_iter().flatten();
        bodies.filter_map(|one| one["Body"].as_str()).any(|body| body.contains(text))
    }
}

/// A message as a subscriber hears it.
#[derive(Debug)]
pub(crate) struct Heard {
    /// What SNS wraps around it: subject and attributes.
    pub(crate) envelope: Value,
    /// The message itself: the document of README.md.
    pub(crate) document: Value,
    /// What SQS says about it: message group and deduplication id.
    pub(crate) attributes: Value,
}

impl Heard {
    fn of(message: &Value) -> Self {
        let json = |text: &Value| -> Value {
            let text = text.as_str().expect("a text");
            serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
        };
        let envelope = json(&message["Body"]);
        Self { document: json(&envelope["Message"]), envelope, attributes: message["Attributes"].clone() }
    }

    /// Returns the id of the message, which document and attributes tell.
    pub(crate) fn id(&self) -> String {
        let id = self.document["id"].as_str().expect("an id");
        assert_eq!(self.attribute("id"), id, "attribute and document name the same message");
        id.to_owned()
    }

    /// Returns an attribute by which subscriptions filter.
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.envelope["MessageAttributes"][name]["Value"].as_str().unwrap_or_default()
    }

    /// Returns its alerts.
    pub(crate) fn alerts(&self) -> &[Value] {
        self.document["alerts"].as_array().map_or(&[], Vec::as_slice)
    }
}
