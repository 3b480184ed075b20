//! When a fleet's TLS certificate ends.
//!
//! Pure. GameLift tells whether a fleet has a certificate, never until when: AWS Certificate Manager makes it as the
//! fleet is created and it cannot be renewed (AWS: CreateFleet, "certificates expire after 13 months"; Certificate
//! Manager's 13 months are 395 days).

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::fleet::{Fleet, FleetStatus};
use crate::time::{DAY_MS, Timestamp};

/// Days for which a certificate is valid.
pub const VALID_DAYS: i64 = 395;
/// Days before its end from which it is near: time enough to make another fleet and move players to it.
pub const NEAR_DAYS: i64 = 60;

/// How a certificate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum CertificateState {
    /// Its end is more than 60 days ahead.
    Valid,
    /// It ends within 60 days.
    Near,
    /// It has ended.
    Ended,
}

/// The end of a fleet's certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct CertificateTerm {
    /// 395 days after the fleet was created.
    pub ends_at: Timestamp,
    /// How it stands.
    pub state: CertificateState,
}

/// The end of a fleet's certificate; `None` if it has none, if it is not known when the fleet was created, or if the
/// fleet is gone.
pub fn certificate_term(fleet: &Fleet, now: Timestamp) -> Option<CertificateTerm> {
    let is_gone = fleet.termination_time.is_some() || fleet.status == FleetStatus::Terminated;
    if is_gone || fleet.certificate_type.as_deref() != Some("GENERATED") {
        return None;
    }
    let ends_at = fleet.creation_time?.plus_ms(VALID_DAYS * DAY_MS);
    let state = match ends_at.since_ms(now) {
        ..=0 => CertificateState::Ended,
        left if left < NEAR_DAYS * DAY_MS => CertificateState::Near,
        _ => CertificateState::Valid,
    };
    Some(CertificateTerm { ends_at, state })
}

/// The fleets whose certificate has ended or is near its end, the first to end first.
pub fn certificates_to_replace<'a>(
    fleets: impl IntoIterator<Item = &'a Fleet>,
    now: Timestamp,
) -> Vec<(&'a Fleet, CertificateTerm)> {
    let term = |fleet: &'a Fleet| Some((fleet, certificate_term(fleet, now)?));
    let mut found: Vec<_> = fleets.into_iter().filter_map(term).collect();
    found.retain(|(_, term)| term.state != CertificateState::Valid);
    found.sort_by_key(|(_, term)| term.ends_at);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::ComputeKind;

    const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

    fn fleet(id: &str, certificate: Option<&str>, age_days: i64) -> Fleet {
        Fleet {
            fleet_id: id.into(),
            fleet_arn: None,
            region: "eu-west-1".into(),
            kind: ComputeKind::Ec2OnDemand,
            name: None,
            description: None,
            status: FleetStatus::Active,
            instance_type: None,
            creation_time: Some(NOW.plus_ms(-age_days * DAY_MS)),
            termination_time: None,
            build_id: None,
            script_id: None,
            operating_system: None,
            new_game_session_protection_policy: None,
            creator_limit: None,
            metric_groups: Vec::new(),
            stopped_actions: Vec::new(),
            instance_role_arn: None,
            certificate_type: certificate.map(str::to_owned),
            anywhere_cost: None,
            player_gateway_mode: None,
            container: None,
        }
    }

    fn state(age_days: i64) -> Option<CertificateState> {
        certificate_term(&fleet("fleet-1", Some("GENERATED"), age_days), NOW).map(|term| term.state)
    }

    #[test]
    fn a_certificate_ends_thirteen_months_after_its_fleet_was_made() {
        let term = certificate_term(&fleet("fleet-1", Some("GENERATED"), 100), NOW).unwrap();
        assert_eq!(term.ends_at, NOW.plus_ms(295 * DAY_MS));
        let states = [0, 334, 335, 336, 394, 395, 500].map(|days| state(days).unwrap());
        use CertificateState::{Ended, Near, Valid};
        assert_eq!(states, [Valid, Valid, Valid, Near, Near, Ended, Ended]);
    }

    #[test]
    fn without_a_certificate_or_its_age_nothing_is_said() {
        for certificate in [None, Some("DISABLED")] {
            assert_eq!(certificate_term(&fleet("fleet-1", certificate, 390), NOW), None);
        }
        let unknown = Fleet { creation_time: None, ..fleet("fleet-1", Some("GENERATED"), 0) };
        assert_eq!(certificate_term(&unknown, NOW), None);
        let gone = Fleet { termination_time: Some(NOW), ..fleet("fleet-1", Some("GENERATED"), 390) };
        assert_eq!(certificate_term(&gone, NOW), None);
    }

    #[test]
    fn those_to_replace_come_in_the_order_in_which_they_end() {
        let fleets = [("fleet-new", 10), ("fleet-soon", 340), ("fleet-late", 400)]
            .map(|(id, days)| fleet(id, Some("GENERATED"), days));
        let found = certificates_to_replace(&fleets, NOW);
        let ids: Vec<&str> = found.iter().map(|(fleet, _)| fleet.fleet_id.as_str()).collect();
        assert_eq!(ids, ["fleet-late", "fleet-soon"]);
    }
}
