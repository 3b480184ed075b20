//! Places: the position of locations, the local time of their players, and the latency between two places.

/// A place that hosts game servers or has players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Region code or custom location.
    pub(crate) name: &'static str,
    latitude: f64,
    longitude: f64,
    /// Local time minus UTC, hours.
    pub(crate) utc_offset_h: i64,
}

const PLACES: &[Place] = &[
    Place { name: "eu-west-1", latitude: 53.3, longitude: -6.3, utc_offset_h: 0 },
    Place { name: "eu-central-1", latitude: 50.1, longitude: 8.7, utc_offset_h: 1 },
    Place { name: "eu-north-1", latitude: 59.3, longitude: 18.1, utc_offset_h: 1 },
    Place { name: "us-east-1", latitude: 38.9, longitude: -77.4, utc_offset_h: -5 },
    Place { name: "us-west-2", latitude: 45.8, longitude: -119.7, utc_offset_h: -8 },
    Place { name: "sa-east-1", latitude: -23.5, longitude: -46.6, utc_offset_h: -3 },
    Place { name: "ap-northeast-1", latitude: 35.4, longitude: 139.4, utc_offset_h: 9 },
    Place { name: "ap-northeast-2", latitude: 37.6, longitude: 126.7, utc_offset_h: 9 },
    Place { name: "ap-southeast-1", latitude: 1.4, longitude: 103.8, utc_offset_h: 8 },
    Place { name: "ap-southeast-2", latitude: -33.9, longitude: 151.2, utc_offset_h: 10 },
    Place { name: "custom-lab-tokyo", latitude: 35.7, longitude: 139.7, utc_offset_h: 9 },
];

/// Finds the place with this name.
pub(crate) fn place(name: &str) -> Option<&'static Place> {
    PLACES.iter().find(|place| place.name == name)
}

/// AWS locations that fleets can use, in a fixed order.
pub(crate) fn aws_locations() -> impl Iterator<Item = &'static str> {
    PLACES.iter().map(|place| place.name).filter(|name| !name.starts_with("custom-"))
}

/// Returns the typical round trip between players near `from` and servers in `to`, in milliseconds.
pub(crate) fn latency_ms(from: &str, to: &str) -> f64 {
    const LAST_MILE_MS: f64 = 14.0;
    const KM_PER_MS: f64 = 68.0;
    let (Some(from), Some(to)) = (place(from), place(to)) else { return LAST_MILE_MS };
    LAST_MILE_MS + distance_km(from, to) / KM_PER_MS
}

fn distance_km(a: &Place, b: &Place) -> f64 {
    const EARTH_RADIUS_KM: f64 = 6371.0;
    let rad = |degrees: f64| degrees.to_radians();
    let half = |delta: f64| {
        let sine = libm::sin(rad(delta) / 2.0);
        sine * sine
    };
    let chord = half(b.latitude - a.latitude)
        + libm::cos(rad(a.latitude)) * libm::cos(rad(b.latitude)) * half(b.longitude - a.longitude);
    2.0 * EARTH_RADIUS_KM * libm::asin(libm::sqrt(chord.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_grows_with_distance() {
        let near = latency_ms("eu-west-1", "eu-central-1");
        let far = latency_ms("eu-west-1", "ap-northeast-1");
        assert!((20.0..45.0).contains(&near), "{near}");
        assert!((120.0..220.0).contains(&far), "{far}");
        assert!(latency_ms("eu-west-1", "eu-west-1") < near);
    }
}
