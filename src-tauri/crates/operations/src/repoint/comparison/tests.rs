//! The comparison, difference by difference.

use liftdeck_model::FleetId;
use liftdeck_model::fleet::ServerProcess;

use super::*;

fn place(name: &str) -> FleetLocation {
    FleetLocation {
        location: Location::from(name),
        status: FleetStatus::Active,
        scaling_suspended: false,
        update_pending: false,
        player_gateway_status: None,
    }
}

fn side(id: &str) -> Side {
    let fleet_id = FleetId::from(id);
    Side {
        fleet: Fleet {
            fleet_id: fleet_id.clone(),
            fleet_arn: None,
            region: Region::from("eu-west-1"),
            kind: ComputeKind::Ec2OnDemand,
            name: None,
            description: None,
            status: FleetStatus::Active,
            instance_type: Some("c5.large".to_owned()),
            creation_time: None,
            termination_time: None,
            build_id: None,
            script_id: None,
            operating_system: None,
            new_game_session_protection_policy: Some(ProtectionPolicy::FullProtection),
            creator_limit: None,
            metric_groups: Vec::new(),
            stopped_actions: Vec::new(),
            instance_role_arn: None,
            certificate_type: Some("DISABLED".to_owned()),
            anywhere_cost: None,
            player_gateway_mode: None,
            container: None,
        },
        content: Some("arena 1.42.0".to_owned()),
        sdk: Some("5.4.0".to_owned()),
        locations: Some(vec![place("eu-west-1"), place("eu-north-1")]),
        capacity: Some(vec![FleetCapacity {
            fleet_id: fleet_id.clone(),
            location: Location::from("eu-west-1"),
            desired: 8,
            minimum: 1,
            maximum: 20,
            pending: 0,
            active: 8,
            idle: 2,
            terminating: 0,
            zero_capacity_strategy: None,
            container_groups: None,
        }]),
        utilization: Some(vec![FleetUtilization {
            fleet_id,
            location: Location::from("eu-west-1"),
            active_server_process_count: 40,
            active_game_session_count: 28,
            current_player_session_count: 200,
            maximum_player_session_count: 280,
        }]),
        runtime: Some(RuntimeConfiguration {
            server_processes: vec![ServerProcess {
                launch_path: "/local/game/server".to_owned(),
                parameters: None,
                concurrent_executions: 5,
            }],
            max_concurrent_game_session_activations: None,
            game_session_activation_timeout_seconds: None,
        }),
        ports: Some(vec![IpPermission {
            from_port: 7_000,
            to_port: 8_000,
            ip_range: "0.0.0.0/0".to_owned(),
            protocol: "UDP".to_owned(),
        }]),
    }
}

fn home() -> Region {
    Region::from("eu-west-1")
}

/// Labels and weights of the lines that differ after `change` was made to the new side.
fn weighed(change: impl FnOnce(&mut Side)) -> Vec<(String, CompareSeverity)> {
    let (from, mut to) = (side("fleet-1"), side("fleet-2"));
    change(&mut to);
    let lines = compare(&home(), Some(&from), &to);
    let differing = lines.into_iter().filter(|line| line.severity != CompareSeverity::Same);
    differing
        .inspect(|line| assert!(line.note.is_some(), "{line:?}"))
        .map(|line| (line.label, line.severity))
        .collect()
}

fn one(label: &str, severity: CompareSeverity) -> Vec<(String, CompareSeverity)> {
    vec![(label.to_owned(), severity)]
}

#[test]
fn twins_differ_in_nothing() {
    assert_eq!(weighed(|_| ()), []);
}

#[test]
fn a_fleet_of_another_region_or_not_active_is_bad() {
    let elsewhere = weighed(|to| to.fleet.region = Region::from("us-east-1"));
    assert_eq!(elsewhere, one("Region", CompareSeverity::Bad));
    let building = weighed(|to| to.fleet.status = FleetStatus::Building);
    assert_eq!(building, one("Status", CompareSeverity::Bad));
}

#[test]
fn a_smaller_fleet_is_a_warning_and_one_without_instances_is_bad() {
    let resize = |active, maximum| {
        move |to: &mut Side| {
            for place in to.capacity.iter_mut().flatten() {
                (place.active, place.maximum) = (active, maximum);
            }
        }
    };
    assert_eq!(weighed(resize(5, 20)), one("Active instances", CompareSeverity::Warning));
    assert_eq!(weighed(resize(8, 10)), one("Maximum instances", CompareSeverity::Warning));
    assert_eq!(weighed(resize(0, 20)), one("Active instances", CompareSeverity::Bad));
    assert_eq!(weighed(resize(9, 20)), one("Active instances", CompareSeverity::Info));
}

#[test]
fn a_location_that_is_lacking_is_named() {
    let (from, mut to) = (side("fleet-1"), side("fleet-2"));
    to.locations = Some(vec![place("eu-west-1")]);
    let lines = compare(&home(), Some(&from), &to);
    let line = lines.iter().find(|line| line.label == "Locations").unwrap();
    assert_eq!(line.severity, CompareSeverity::Warning);
    assert!(line.note.as_ref().unwrap().contains("eu-north-1"), "{line:?}");
}

#[test]
fn other_ports_certificate_processes_and_protection_are_warnings() {
    let ports = weighed(|to| to.ports.iter_mut().flatten().for_each(|it| it.to_port = 7_500));
    assert_eq!(ports, one("Open ports", CompareSeverity::Warning));
    let certificate = weighed(|to| to.fleet.certificate_type = Some("GENERATED".to_owned()));
    assert_eq!(certificate, one("TLS certificate", CompareSeverity::Warning));
    let fewer = weighed(|to| {
        let runtime = to.runtime.as_mut().unwrap();
        runtime.server_processes.iter_mut().for_each(|it| it.concurrent_executions = 4);
    });
    assert_eq!(fewer, one("Processes per instance", CompareSeverity::Warning));
    let open = weighed(|to| {
        to.fleet.new_game_session_protection_policy = Some(ProtectionPolicy::NoProtection);
    });
    assert_eq!(open, one("Protection of new game sessions", CompareSeverity::Warning));
}

#[test]
fn another_build_is_worth_knowing_and_another_major_sdk_is_a_warning() {
    let build = weighed(|to| to.content = Some("arena 1.43.0".to_owned()));
    assert_eq!(build, one("Build or script", CompareSeverity::Info));
    let minor = weighed(|to| to.sdk = Some("5.3.0".to_owned()));
    assert_eq!(minor, one("Server SDK", CompareSeverity::Info));
    let major = weighed(|to| to.sdk = Some("4.0.2".to_owned()));
    assert_eq!(major, one("Server SDK", CompareSeverity::Warning));
}

#[test]
fn going_to_spot_is_a_warning() {
    let spot = weighed(|to| to.fleet.kind = ComputeKind::Ec2Spot);
    assert_eq!(spot, one("Type", CompareSeverity::Warning));
}

#[test]
fn what_was_not_read_is_unknown_and_never_a_difference() {
    let (from, mut to) = (side("fleet-1"), side("fleet-2"));
    (to.capacity, to.utilization, to.runtime, to.ports) = (None, None, None, None);
    let lines = compare(&home(), Some(&from), &to);
    for line in lines.iter().filter(|line| line.to == UNKNOWN) {
        assert_eq!(line.severity, CompareSeverity::Same, "{line:?}");
    }
    assert_eq!(lines.iter().filter(|line| line.to == UNKNOWN).count(), 5);
}

#[test]
fn an_alias_that_led_nowhere_has_only_the_new_side() {
    let lines = compare(&home(), None, &side("fleet-2"));
    assert!(lines.iter().all(|line| line.from.is_empty() && line.severity == CompareSeverity::Same));
}
