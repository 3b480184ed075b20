//! Responses as HTTP: status, headers and a body that may be cut off on purpose.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};

use crate::service::{Protocol, Service, ServiceError};

/// How an exchange ends.
#[derive(Debug)]
pub(super) enum Outcome {
    /// With a response.
    Answer(Response<Payload>),
    /// With a reset of the connection.
    Reset,
    /// With no response at all.
    Stall,
}

/// A body in one piece, of which possibly only the first part is sent.
#[derive(Debug)]
pub(super) struct Payload {
    bytes: Option<Bytes>,
    announced: u64,
    cut: Cut,
}

/// Whether and when a body ends before its announced length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Never,
    /// As soon as the bytes given so far have been sent.
    Soon,
    Now,
}

/// A body that ends before its announced length.
#[derive(Debug, thiserror::Error)]
#[error("the answer is cut off, as the fault plan asks")]
pub(super) struct CutOff;

impl Payload {
    /// A whole body.
    pub(super) fn whole(bytes: impl Into<Bytes>) -> Payload {
        let bytes = bytes.into();
        Payload { announced: bytes.len() as u64, bytes: Some(bytes), cut: Cut::Never }
    }

    /// No body.
    pub(super) fn empty() -> Payload {
        Payload { bytes: None, announced: 0, cut: Cut::Never }
    }

    /// The same body, announced in full but with only its first half sent.
    pub(super) fn cut_off(self) -> Payload {
        let half = self.bytes.as_ref().map(|bytes| bytes.slice(..bytes.len() / 2));
        Payload { bytes: half, announced: self.announced, cut: Cut::Soon }
    }
}

impl Body for Payload {
    type Data = Bytes;
    type Error = CutOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, CutOff>>> {
        match self.bytes.take() {
            Some(bytes) if !bytes.is_empty() => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            _ => match self.cut {
                Cut::Never => Poll::Ready(None),
                // The connection sends what it has buffered when a body has nothing at the moment.
                Cut::Soon => {
                    self.cut = Cut::Now;
                    context.waker().wake_by_ref();
                    Poll::Pending
                }
                Cut::Now => Poll::Ready(Some(Err(CutOff))),
            },
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.announced)
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none() && self.cut == Cut::Never
    }
}

/// A response with a status, a content type and a body.
pub(super) fn plain(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Response<Payload> {
    let mut response = Response::new(Payload::whole(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn framed(
    status: u16,
    service: Service,
    protocol: Protocol,
    request_id: &str,
    body: Vec<u8>,
) -> Response<Payload> {
    let mut response = plain(status, protocol.content_type(service), body);
    let headers = response.headers_mut();
    if protocol == Protocol::Cbor {
        headers.insert("smithy-protocol", HeaderValue::from_static("rpc-v2-cbor"));
    }
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert("x-amzn-requestid", id);
    }
    response
}

/// A successful response.
pub(super) fn success(
    service: Service,
    protocol: Protocol,
    request_id: &str,
    body: Vec<u8>,
) -> Response<Payload> {
    framed(200, service, protocol, request_id, body)
}

/// An error response.
pub(super) fn error(
    error: &ServiceError,
    service: Service,
    protocol: Protocol,
    request_id: &str,
) -> Response<Payload> {
    let body = error.body(service, protocol, request_id);
    let mut response = framed(error.status, service, protocol, request_id, body);
    if let Some(Ok(value)) = error.query_error(service).map(HeaderValue::try_from) {
        response.headers_mut().insert("x-amzn-query-error", value);
    }
    response
}

/// The response to a request body that is too large to read.
pub(super) fn too_large(request_id: &str) -> Response<Payload> {
    let refusal = ServiceError::new("RequestEntityTooLargeException", "The request body is too large.");
    error(&refusal.with_status(413), Service::GameLift, Protocol::Json, request_id)
}

/// A page a proxy might answer with.
pub(super) fn html(status: u16) -> Response<Payload> {
    let page = "<html><head><title>Error</title></head><body><h1>The request could not be satisfied</h1></body></html>";
    plain(status, "text/html", page)
}
