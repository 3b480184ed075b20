//! A service whose clock differs from the client's, as a fault plan asks: whether it accepts a signature, and its
//! error if not. It uses real time, because clients sign by it.

use hyper::header::HeaderValue;

use crate::service::ServiceError;

/// How far the time of a signature may be from the service's own.
const TOLERANCE_S: i64 = 300;

/// The format of `x-amz-date`.
const SIGNED: &str = "%Y%m%dT%H%M%SZ";

/// The refusal for a client that signs by another clock.
#[derive(Debug)]
pub(super) struct SkewRefusal {
    /// The error.
    pub(super) error: ServiceError,
    /// The service's own time.
    pub(super) date: HeaderValue,
}

/// Real time, in seconds since the epoch.
pub(super) fn now_s() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// The time in `x-amz-date`, in seconds since the epoch.
pub(super) fn signed_at_s(header: Option<&str>) -> Option<i64> {
    let time = jiff::civil::DateTime::strptime(SIGNED, header?).ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second())
}

/// Refuses a signature unless its time is close to the service's own.
pub(super) fn refusal(signed_at_s: Option<i64>, service_s: i64) -> Option<SkewRefusal> {
    if signed_at_s.is_some_and(|signed_s| signed_s.abs_diff(service_s) <= TOLERANCE_S.unsigned_abs()) {
        return None;
    }
    let message = "The difference between the request time and the current time is too large.";
    let error = ServiceError::new("RequestTimeTooSkewed", message).with_status(403);
    Some(SkewRefusal { error, date: date(service_s)? })
}

/// Formats a time, in seconds since the epoch, as a `Date` header.
pub(super) fn date(at_s: i64) -> Option<HeaderValue> {
    let time = jiff::Timestamp::from_second(at_s).ok()?;
    let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&time).ok()?;
    HeaderValue::try_from(date).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_counts_by_the_clock_of_the_service() {
        let signed_s = signed_at_s(Some("20261121T071156Z"));
        assert_eq!(signed_s, Some(1_795_245_116));
        assert!(refusal(signed_s, 1_795_245_116 + 300).is_none());
        let refused = refusal(signed_s, 1_795_245_116 + 3_600).unwrap();
        assert_eq!((refused.error.code.as_ref(), refused.error.status), ("RequestTimeTooSkewed", 403));
        assert_eq!(refused.date, "Sat, 21 Nov 2026 08:11:56 GMT");
        assert!(refusal(None, 1_795_245_116).is_some());
        assert_eq!(signed_at_s(Some("yesterday")), None);
    }
}
