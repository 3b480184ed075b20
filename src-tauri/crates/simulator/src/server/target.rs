//! What a request addresses: the service, the operation and the protocol, read from path and headers.

use hyper::Method;
use hyper::http::request::Parts;

use crate::query;
use crate::service::{Protocol, Service};

/// The address of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The service.
    pub(super) service: Service,
    /// The protocol.
    pub(super) protocol: Protocol,
    /// The operation as the client names it.
    pub(super) operation: String,
}

/// A header as text.
pub(super) fn header<'a>(head: &'a Parts, name: &str) -> Option<&'a str> {
    head.headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether a request declares itself as RPC v2 CBOR.
pub(super) fn is_cbor(head: &Parts) -> bool {
    header(head, "smithy-protocol") == Some("rpc-v2-cbor")
}

impl Target {
    /// Reads the address; `None` if no service here knows it.
    pub(super) fn read(head: &Parts, body: &[u8]) -> Option<Target> {
        if head.method != Method::POST {
            return None;
        }
        if is_cbor(head) {
            let path = head.uri.path().strip_prefix("/service/")?;
            let (service, operation) = path.split_once("/operation/")?;
            let service = Service::by_target(service).filter(|service| {
                !matches!(service, Service::Sqs | Service::CloudTrail | Service::EventBridge)
            })?;
            return Some(Target { service, protocol: Protocol::Cbor, operation: operation.to_owned() });
        }
        if let Some(target) = header(head, "x-amz-target") {
            let (service, operation) = target.rsplit_once('.')?;
            let service = Service::by_target(service)?;
            return Some(Target { service, protocol: Protocol::Json, operation: operation.to_owned() });
        }
        let form = header(head, "content-type")?.starts_with("application/x-www-form-urlencoded");
        let operation = query::field(body, "Action").filter(|_| form)?;
        let service = Service::by_query_version(&query::field(body, "Version").unwrap_or_default());
        Some(Target { service, protocol: Protocol::Query, operation })
    }
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    fn read(path: &str, headers: &[(&str, &str)], body: &str) -> Option<(Service, Protocol, String)> {
        let mut request = Request::builder().method("POST").uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        Target::read(&head, body.as_bytes()).map(|target| (target.service, target.protocol, target.operation))
    }

    #[test]
    fn each_protocol_names_its_operation_in_its_own_place() {
        let cbor = [("smithy-protocol", "rpc-v2-cbor")];
        assert_eq!(
            read("/service/GameLift/operation/ListFleets", &cbor, ""),
            Some((Service::GameLift, Protocol::Cbor, "ListFleets".to_owned()))
        );
        assert_eq!(
            read("/service/GraniteServiceVersion20100801/operation/GetMetricData", &cbor, ""),
            Some((Service::CloudWatch, Protocol::Cbor, "GetMetricData".to_owned()))
        );
        assert_eq!(
            read("/", &[("x-amz-target", "AmazonSQS.ReceiveMessage")], "{}"),
            Some((Service::Sqs, Protocol::Json, "ReceiveMessage".to_owned()))
        );
        for service in ["com.amazonaws.cloudtrail.v20131101.CloudTrail_20131101", "CloudTrail_20131101"] {
            let target = format!("{service}.LookupEvents");
            assert_eq!(
                read("/", &[("x-amz-target", &target)], "{}"),
                Some((Service::CloudTrail, Protocol::Json, "LookupEvents".to_owned()))
            );
        }
        let form = [("content-type", "application/x-www-form-urlencoded; charset=utf-8")];
        assert_eq!(
            read("/", &form, "Action=GetCallerIdentity&Version=2011-06-15"),
            Some((Service::Sts, Protocol::Query, "GetCallerIdentity".to_owned()))
        );
    }

    #[test]
    fn the_version_tells_the_services_of_a_form_apart() {
        let form = [("content-type", "application/x-www-form-urlencoded")];
        let service = |body| read("/", &form, body).unwrap().0;
        assert_eq!(service("Action=ListTopics&Version=2010-03-31"), Service::Sns);
        assert_eq!(service("Action=GetRole&Version=2010-05-08"), Service::Iam);
    }

    #[test]
    fn what_no_service_knows_has_no_target() {
        assert_eq!(read("/", &[], ""), None);
        assert_eq!(read("/", &[("x-amz-target", "DynamoDB_20120810.ListTables")], "{}"), None);
        assert_eq!(read("/nowhere", &[("smithy-protocol", "rpc-v2-cbor")], ""), None);
        let get = Request::builder().uri("/").header("x-amz-target", "GameLift.ListFleets").body(()).unwrap();
        assert_eq!(Target::read(&get.into_parts().0, b""), None, "every protocol here posts");
    }
}
