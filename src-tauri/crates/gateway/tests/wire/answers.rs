//! Builds the bodies of valid responses in CBOR.

use minicbor::Encoder;
use minicbor::data::Tag;

/// A map of members.
pub(crate) struct Body(Vec<(String, Value)>);

pub(crate) enum Value {
    Text(String),
    Int(i64),
    Float(f64),
    Moment(f64),
    List(Vec<Value>),
    Map(Body),
}

impl Body {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn with(mut self, name: &str, value: Value) -> Self {
        self.0.push((name.to_owned(), value));
        self
    }

    pub(crate) fn text(self, name: &str, value: &str) -> Self {
        self.with(name, Value::Text(value.to_owned()))
    }

    pub(crate) fn int(self, name: &str, value: i64) -> Self {
        self.with(name, Value::Int(value))
    }

    pub(crate) fn moment(self, name: &str, seconds: f64) -> Self {
        self.with(name, Value::Moment(seconds))
    }

    pub(crate) fn list(self, name: &str, items: Vec<Value>) -> Self {
        self.with(name, Value::List(items))
    }

    pub(crate) fn map(self, name: &str, map: Body) -> Self {
        self.with(name, Value::Map(map))
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_map(&mut Encoder::new(&mut bytes), self);
        bytes
    }
}

fn write_map(encoder: &mut Encoder<&mut Vec<u8>>, body: &Body) {
    encoder.map(body.0.len() as u64).unwrap();
    for (name, value) in &body.0 {
        encoder.str(name).unwrap();
        write(encoder, value);
    }
}

fn write(encoder: &mut Encoder<&mut Vec<u8>>, value: &Value) {
    match value {
        Value::Text(text) => drop(encoder.str(text).unwrap()),
        Value::Int(int) => drop(encoder.i64(*int).unwrap()),
        Value::Float(float) => drop(encoder.f64(*float).unwrap()),
        Value::Moment(seconds) => drop(encoder.tag(Tag::new(1)).unwrap().f64(*seconds).unwrap()),
        Value::List(items) => {
            encoder.array(items.len() as u64).unwrap();
            items.iter().for_each(|item| write(encoder, item));
        }
        Value::Map(body) => write_map(encoder, body),
    }
}

/// An alias that points to a fleet.
pub(crate) fn alias(id: &str) -> Value {
    let routing = Body::new().text("Type", "SIMPLE").text("FleetId", "fleet-1");
    Value::Map(Body::new().text("AliasId", id).text("Name", "live").map("RoutingStrategy", routing))
}

/// A page of aliases.
pub(crate) fn aliases(ids: &[&str], next: Option<&str>) -> Vec<u8> {
    let body = Body::new().list("Aliases", ids.iter().map(|id| alias(id)).collect());
    match next {
        Some(next) => body.text("NextToken", next),
        None => body,
    }
    .bytes()
}

/// A game session of `fleet-1`.
pub(crate) fn game_session(name: &str) -> Value {
    Value::Map(
        Body::new()
            .text("GameSessionId", &format!("arn:aws:gamelift:eu-west-1::gamesession/fleet-1/{name}"))
            .text("FleetId", "fleet-1")
            .moment("CreationTime", 1_700_000_000.25)
            .text("Status", "ACTIVE")
            .int("CurrentPlayerSessionCount", 3)
            .int("MaximumPlayerSessionCount", 16),
    )
}
