//! What a message looks like on each channel, one file each. Pure: a message in, a request out.

pub(crate) mod alertmanager;
pub(crate) mod pagerduty;
pub(crate) mod slack;
pub(crate) mod sns;
pub(crate) mod webhook;

#[cfg(test)]
pub(crate) mod fixture;
