//! The services and their protocols.
//!
//! Their error responses are in `error`.

mod error;

use crate::wire::Writer;

pub(crate) use error::{ServiceError, xml_text};

/// A service on the port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Service {
    /// Amazon GameLift Servers.
    GameLift,
    /// Amazon CloudWatch.
    CloudWatch,
    /// AWS CloudTrail.
    CloudTrail,
    /// Amazon Simple Queue Service.
    Sqs,
    /// Amazon Simple Notification Service.
    Sns,
    /// Amazon EventBridge.
    EventBridge,
    /// AWS Security Token Service.
    Sts,
    /// AWS Identity and Access Management.
    Iam,
}

impl Service {
    /// The prefix of the service's IAM actions, by which operations are named outside the wire protocols.
    pub(crate) fn action_prefix(self) -> &'static str {
        match self {
            Service::GameLift => "gamelift",
            Service::CloudWatch => "cloudwatch",
            Service::CloudTrail => "cloudtrail",
            Service::Sqs => "sqs",
            Service::Sns => "sns",
            Service::EventBridge => "events",
            Service::Sts => "sts",
            Service::Iam => "iam",
        }
    }

    /// Finds the service that a JSON target or an RPC v2 path names.
    pub(crate) fn by_target(target: &str) -> Option<Service> {
        match target {
            "GameLift" => Some(Service::GameLift),
            "GraniteServiceVersion20100801" => Some(Service::CloudWatch),
            "AmazonSQS" => Some(Service::Sqs),
            "AWSEvents" => Some(Service::EventBridge),
            // The clients of the first kind are botocore and the AWS CLI, those of the second the newer SDKs.
            "com.amazonaws.cloudtrail.v20131101.CloudTrail_20131101" | "CloudTrail_20131101" => {
                Some(Service::CloudTrail)
            }
            _ => None,
        }
    }

    /// The content type of the service's AWS JSON, with its version.
    fn json_content_type(self) -> &'static str {
        match self {
            Service::GameLift | Service::CloudTrail | Service::EventBridge => "application/x-amz-json-1.1",
            _ => "application/x-amz-json-1.0",
        }
    }

    fn namespace(self) -> &'static str {
        match self {
            Service::GameLift => "com.amazonaws.gamelift",
            Service::CloudWatch => "com.amazonaws.cloudwatch",
            Service::CloudTrail => "com.amazonaws.cloudtrail",
            Service::Sqs => "com.amazonaws.sqs",
            Service::Sns => "com.amazonaws.sns",
            Service::EventBridge => "com.amazonaws.events",
            Service::Sts => "com.amazonaws.sts",
            Service::Iam => "com.amazonaws.iam",
        }
    }

    /// Whether the service speaks the Query protocol, whose words for bad credentials differ.
    pub(crate) fn is_query(self) -> bool {
        matches!(self, Service::Sns | Service::Sts | Service::Iam)
    }

    /// The version of the API of a service of the Query protocol, by which its requests are told apart.
    fn query_version(self) -> &'static str {
        match self {
            Service::Sns => "2010-03-31",
            Service::Iam => "2010-05-08",
            _ => "2011-06-15",
        }
    }

    /// Finds the service of the Query protocol whose API has that version.
    pub(crate) fn by_query_version(version: &str) -> Service {
        let known = [Service::Sns, Service::Iam].into_iter().find(|known| known.query_version() == version);
        known.unwrap_or(Service::Sts)
    }

    /// The XML namespace of a service of the Query protocol.
    pub(crate) fn xml_namespace(self) -> String {
        let scheme = if self == Service::Sns { "http" } else { "https" };
        format!("{scheme}://{}.amazonaws.com/doc/{}/", self.action_prefix(), self.query_version())
    }

    /// Whether the service once spoke the Query protocol and so repeats that protocol's error code in a header.
    fn is_query_compatible(self) -> bool {
        matches!(self, Service::CloudWatch | Service::Sqs)
    }
}

/// The protocol of one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Smithy RPC v2 CBOR.
    Cbor,
    /// AWS JSON, in the version of the service.
    Json,
    /// AWS Query: a form in, XML out.
    Query,
}

impl Protocol {
    /// Returns a writer for this protocol's bodies; the services of the Query protocol write theirs themselves.
    pub(crate) fn writer(self) -> Writer {
        match self {
            Protocol::Cbor => Writer::cbor(),
            Protocol::Json | Protocol::Query => Writer::json(),
        }
    }

    /// The content type of a response.
    pub(crate) fn content_type(self, service: Service) -> &'static str {
        match self {
            Protocol::Cbor => "application/cbor",
            Protocol::Json => service.json_content_type(),
            Protocol::Query => "text/xml",
        }
    }
}
