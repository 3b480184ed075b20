//! Locations and the account's instance limits.

/// `LocationModel`.
#[derive(Clone, Debug, PartialEq)]
pub struct LocationModel {
    /// Region code or `custom-…`.
    pub location_name: String,
    /// Custom locations only.
    pub location_arn: Option<String>,
    /// `PingBeacon.UDPEndpoint`; AWS locations only.
    pub ping_beacon: Option<UdpEndpoint>,
}

/// Endpoint at which players measure latency.
#[derive(Clone, Debug, PartialEq)]
pub struct UdpEndpoint {
    /// Host name.
    pub domain: String,
    /// Port (7770).
    pub port: u16,
}

/// `EC2InstanceLimit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Ec2InstanceLimit {
    /// EC2 type.
    pub ec2_instance_type: String,
    /// In use by the account.
    pub current_instances: u32,
    /// Allowed.
    pub instance_limit: u32,
    /// The location.
    pub location: String,
}
