//! URLs of event queues: the queue and the Region that one names.
//!
//! Owns how an event queue is written: as its URL, or as `REGION=URL` if the URL does not name the Region.

use crate::id::Region;

/// Why a text does not name an event queue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventQueueError {
    /// It is in a Region that nothing is read from.
    #[error("The event queue {url} is in {region}, which is not among the Regions to collect.")]
    OtherRegion {
        /// The queue.
        url: String,
        /// Its Region.
        region: Region,
    },
    /// It is no web address.
    #[error(
        "The event queue `{0}` is not a queue URL, such as https://sqs.eu-west-1.amazonaws.com/111122223333/events."
    )]
    NotUrl(String),
    /// Its URL names none of several Regions.
    #[error("The Region of the event queue {0} cannot be read from its URL. Write it as REGION={0}.")]
    NoRegion(String),
}

/// Reads an event queue as Region and URL. The Region is written out, contained in the URL, or the only one of
/// `regions`.
///
/// # Errors
/// When it is no URL, or when its Region is not one of `regions` or cannot be told.
pub fn event_queue(text: &str, regions: &[String]) -> Result<(Region, String), EventQueueError> {
    let named = text.split_once('=').filter(|(region, _)| Region::is_well_formed(region));
    if let Some((region, url)) = named {
        let (region, url) = (Region::from(region), url.to_owned());
        let is_read = regions.iter().any(|known| known == region.as_str());
        return if is_read { Ok((region, url)) } else { Err(EventQueueError::OtherRegion { url, region }) };
    }
    if !(text.starts_with("http://") || text.starts_with("https://")) {
        return Err(EventQueueError::NotUrl(text.to_owned()));
    }
    let in_url: Vec<&String> = regions.iter().filter(|region| text.contains(region.as_str())).collect();
    match (in_url.as_slice(), regions) {
        ([region], _) => Ok((Region::from(region.as_str()), text.to_owned())),
        ([], [region]) => Ok((Region::from(region.as_str()), text.to_owned())),
        _ => Err(EventQueueError::NoRegion(text.to_owned())),
    }
}

/// The Region in a queue URL, if it is a URL of SQS itself.
pub fn region_in_url(url: &str) -> Option<Region> {
    let host = url.split_once("://")?.1.split('/').next()?;
    let region = host.strip_prefix("sqs.")?.split_once(".amazonaws.com")?.0;
    Region::is_well_formed(region).then(|| Region::from(region))
}

/// The name of a queue, from its URL.
pub fn queue_name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or(url)
}

/// Whether two URLs name the same queue: the letter case of scheme and host, the scheme's default port and a trailing
/// slash make no difference.
pub fn is_same_url(one: &str, other: &str) -> bool {
    canonical_url(one) == canonical_url(other)
}

fn canonical_url(url: &str) -> String {
    let url = url.trim().trim_end_matches('/');
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let scheme = scheme.to_ascii_lowercase();
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.to_ascii_lowercase();
    let own_port = if scheme == "https" { ":443" } else { ":80" };
    format!("{scheme}://{}/{path}", host.strip_suffix(own_port).unwrap_or(&host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_region_of_a_queue_is_written_out_or_read_from_its_url_or_the_only_one() {
        let two = regions(&["eu-west-1", "us-east-1"]);
        let url = "https://sqs.us-east-1.amazonaws.com/1/liftdeck";
        assert_eq!(event_queue(url, &two).unwrap().0.as_str(), "us-east-1");
        let plain = "http://127.0.0.1:9/1/liftdeck";
        let (region, written) = event_queue(&format!("eu-west-1={plain}"), &two).unwrap();
        assert_eq!((region.as_str(), written.as_str()), ("eu-west-1", plain));
        assert_eq!(event_queue(plain, &regions(&["eu-west-1"])).unwrap().0.as_str(), "eu-west-1");
    }

    #[test]
    fn a_queue_whose_region_cannot_be_known_is_refused() {
        let two = regions(&["eu-west-1", "us-east-1"]);
        let plain = "http://127.0.0.1:9/1/liftdeck";
        assert_eq!(event_queue(plain, &two), Err(EventQueueError::NoRegion(plain.to_owned())));
        let other = event_queue("eu-north-1=http://127.0.0.1:9/1/x", &two);
        assert!(matches!(other, Err(EventQueueError::OtherRegion { .. })), "{other:?}");
        assert_eq!(event_queue("liftdeck", &two), Err(EventQueueError::NotUrl("liftdeck".to_owned())));
    }

    #[test]
    fn the_region_is_read_from_a_url_of_sqs_alone() {
        let region = |url| region_in_url(url).map(Region::into_string);
        assert_eq!(region("https://sqs.us-east-1.amazonaws.com/1/q").as_deref(), Some("us-east-1"));
        assert_eq!(region("http://127.0.0.1:9/1/eu-west-1"), None);
        assert_eq!(region("https://sqs.amazonaws.com/1/q"), None);
    }

    #[test]
    fn a_queue_is_called_by_the_end_of_its_url() {
        assert_eq!(queue_name("https://sqs.eu-west-1.amazonaws.com/111122223333/Events"), "Events");
        assert_eq!(queue_name("Events"), "Events");
    }

    #[test]
    fn spellings_of_one_url_are_one_queue_and_another_path_is_another() {
        let url = "https://sqs.eu-west-1.amazonaws.com/111122223333/Events";
        for same in [
            "HTTPS://SQS.eu-west-1.amazonaws.com/111122223333/Events/",
            " https://sqs.eu-west-1.amazonaws.com:443/111122223333/Events",
        ] {
            assert!(is_same_url(url, same), "{same}");
        }
        for other in [
            "https://sqs.eu-west-1.amazonaws.com/111122223333/events",
            "https://sqs.eu-west-1.amazonaws.com/999900001111/Events",
            "http://sqs.eu-west-1.amazonaws.com/111122223333/Events",
            "https://sqs.eu-west-1.amazonaws.com:444/111122223333/Events",
        ] {
            assert!(!is_same_url(url, other), "{other}");
        }
    }
}
