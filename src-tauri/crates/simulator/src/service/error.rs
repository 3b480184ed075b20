//! The errors of the services: which code, status and header they have on the wire, but not when they are raised.

use std::borrow::Cow;
use std::fmt;

use super::{Protocol, Service};
use crate::identity::Decision;

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
            Service::GameLift | Service::CloudTrail | Service::EventBridge => "ThrottlingException",
            Service::CloudWatch | Service::Sns | Service::Sts | Service::Iam => "Throttling",
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

    /// The error for an action of a Query service that does not exist.
    pub(crate) fn unknown_action(service: Service, action: &str) -> ServiceError {
        let message = format!("Could not find operation {action} for version {}", service.query_version());
        ServiceError::new("InvalidAction", message)
    }

    /// The error for an identity to which an action is refused.
    pub(crate) fn access_denied(
        service: Service,
        arn: &str,
        action: &str,
        resource: &str,
        refused: Decision,
    ) -> ServiceError {
        let code = match service {
            Service::Sns => "AuthorizationError",
            Service::Sts | Service::Iam => "AccessDenied",
            _ => "AccessDeniedException",
        };
        let reason = match refused {
            Decision::ExplicitDeny => "with an explicit deny in an identity-based policy".to_owned(),
            _ => format!("because no identity-based policy allows the {action} action"),
        };
        let message =
            format!("User: {arn} is not authorized to perform: {action} on resource: {resource} {reason}");
        ServiceError::new(code, message).with_query_code("AccessDenied").with_status(403)
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
        let plain = matches!(service, Service::GameLift | Service::CloudTrail | Service::EventBridge)
            && protocol == Protocol::Json;
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
        let namespace = service.xml_namespace();
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
