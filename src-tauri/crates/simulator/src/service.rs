//! The six services, their protocols and their error responses.
//!
//! Knows which code, status and header an error has on the wire, but not when it is raised.

use std::borrow::Cow;
use std::fmt;

use crate::wire::Writer;

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
    /// AWS Security Token Service.
    Sts,
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
            Service::Sts => "sts",
        }
    }

    /// Finds the service that a JSON target or an RPC v2 path names.
    pub(crate) fn by_target(target: &str) -> Option<Service> {
        match target {
            "GameLift" => Some(Service::GameLift),
            "GraniteServiceVersion20100801" => Some(Service::CloudWatch),
            "AmazonSQS" => Some(Service::Sqs),
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
            Service::GameLift | Service::CloudTrail => "application/x-amz-json-1.1",
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
            Service::Sts => "com.amazonaws.sts",
        }
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
    /// Returns a writer for this protocol's bodies; STS and SNS write Query responses themselves.
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

/// An error that a service returns.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub(crate) struct ServiceError {
    /// The code as the model names it.
    pub(crate) code: Cow<'static, str>,
    /// The code of the Query protocol, where it differs.
    pub(crate) query_code: Option<&'static str>,
    /// The HTTP status.
    pub(crate) status: u16,
    /// What is wrong, as text for people.
    pub(crate) message: String,
}

impl ServiceError {
    /// An error of the sender, with status 400.
    pub(crate) fn new(code: &'static str, message: impl fmt::Display) -> ServiceError {
        ServiceError { code: code.into(), query_code: None, status: 400, message: message.to_string() }
    }

    /// The same error with another status.
    pub(crate) fn with_status(self, status: u16) -> ServiceError {
        ServiceError { status, ..self }
    }

    /// The same error with its code in the Query protocol.
    pub(crate) fn with_query_code(self, query_code: &'static str) -> ServiceError {
        ServiceError { query_code: Some(query_code), ..self }
    }

    /// The error for an operation the service does not know.
    pub(crate) fn unknown_operation(operation: &str) -> ServiceError {
        let message = format!("The requested operation {operation} is not recognized by the service.");
        ServiceError::new("UnknownOperationException", message).with_status(404)
    }

    /// The error for a body that cannot be read at all.
    pub(crate) fn unreadable(problem: impl fmt::Display) -> ServiceError {
        ServiceError::new("SerializationException", problem)
    }

    /// The error for too many calls; each service has its own code for it.
    pub(crate) fn throttled(service: Service) -> ServiceError {
        let code = match service {
            Service::GameLift | Service::CloudTrail => "ThrottlingException",
            Service::CloudWatch | Service::Sns | Service::Sts => "Throttling",
            Service::Sqs => "RequestThrottled",
        };
        ServiceError::new(code, "Rate exceeded")
    }

    /// A service's error for an HTTP status, where nothing else is known (API reference, common error types).
    pub(crate) fn of_status(service: Service, status: u16) -> ServiceError {
        let message = "The request failed, as the fault plan asks.";
        let error = match (status, service) {
            (429, _) => ServiceError::throttled(service),
            (500, Service::GameLift) => ServiceError::new("InternalServiceException", message),
            (500, Service::CloudWatch) => {
                ServiceError::new("InternalServiceFault", message).with_query_code("InternalServiceError")
            }
            (500, _) => ServiceError::new("InternalFailure", message),
            (501.., _) => ServiceError::new("ServiceUnavailable", message),
            _ => ServiceError::new("RequestAbortedException", message),
        };
        error.with_status(status)
    }

    /// The error for an identity that lacks permission for an action.
    pub(crate) fn access_denied(user_arn: &str, action: &str) -> ServiceError {
        let message = format!(
            "User: {user_arn} is not authorized to perform: {action} on resource: * \
             because no identity-based policy allows the {action} action"
        );
        ServiceError::new("AccessDeniedException", message).with_query_code("AccessDenied").with_status(403)
    }

    /// The value of `x-amzn-query-error`, for the services that send it.
    pub(crate) fn query_error(&self, service: Service) -> Option<String> {
        let fault = if self.status >= 500 { "Receiver" } else { "Sender" };
        service.is_query_compatible().then(|| format!("{};{fault}", self.query_code.unwrap_or(&self.code)))
    }

    /// The body in a protocol.
    pub(crate) fn body(&self, service: Service, protocol: Protocol, request_id: &str) -> Vec<u8> {
        if protocol == Protocol::Query {
            return self.xml(service, request_id);
        }
        let mut writer = protocol.writer();
        let plain = matches!(service, Service::GameLift | Service::CloudTrail) && protocol == Protocol::Json;
        let kind =
            if plain { self.code.to_string() } else { format!("{}#{}", service.namespace(), self.code) };
        writer.open_map();
        writer.name("__type");
        writer.text(&kind);
        writer.name(if service == Service::GameLift { "Message" } else { "message" });
        writer.text(&self.message);
        writer.close_map();
        writer.finish()
    }

    fn xml(&self, service: Service, request_id: &str) -> Vec<u8> {
        let namespace = match service {
            Service::Sns => "http://sns.amazonaws.com/doc/2010-03-31/",
            _ => "https://sts.amazonaws.com/doc/2011-06-15/",
        };
        let fault = if self.status >= 500 { "Receiver" } else { "Sender" };
        let (code, message) = (xml_text(&self.code), xml_text(&self.message));
        format!(
            "<ErrorResponse xmlns=\"{namespace}\"><Error><Type>{fault}</Type>\
             <Code>{code}</Code><Message>{message}</Message></Error><RequestId>{request_id}</RequestId></ErrorResponse>"
        )
        .into_bytes()
    }
}

/// Returns the text with XML's reserved characters escaped.
pub(crate) fn xml_text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Value, read_cbor, read_json};

    #[test]
    fn gamelift_errors_carry_the_model_code_in_both_protocols() {
        let error = ServiceError::new("NotFoundException", "no such fleet");
        let cbor = read_cbor(&error.body(Service::GameLift, Protocol::Cbor, "r")).unwrap();
        assert_eq!(
            cbor.member("__type"),
            Some(&Value::Text("com.amazonaws.gamelift#NotFoundException".to_owned()))
        );
        let json = read_json(&error.body(Service::GameLift, Protocol::Json, "r")).unwrap();
        assert_eq!(json.member("__type"), Some(&Value::Text("NotFoundException".to_owned())));
        assert_eq!(json.member("Message"), cbor.member("Message"));
        assert_eq!(error.query_error(Service::GameLift), None);
    }

    #[test]
    fn query_compatible_services_repeat_the_code_in_a_header() {
        let error = ServiceError::new("QueueDoesNotExist", "no")
            .with_query_code("AWS.SimpleQueueService.NonExistentQueue");
        let header = error.query_error(Service::Sqs);
        assert_eq!(header.as_deref(), Some("AWS.SimpleQueueService.NonExistentQueue;Sender"));
    }
}
