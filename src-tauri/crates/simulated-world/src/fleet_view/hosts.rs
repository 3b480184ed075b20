//! Instances and computes of a fleet, and their addresses.

use super::super::World;
use super::super::fleet::{Fleet, Hosting, Machine, Site};
use super::super::names::{Kind, Names};
use super::super::records::{
    Compute, ComputeStatus, ContainerAttribute, Instance, InstanceStatus, PortMapping,
};
use super::super::session_view::Connection;
use super::super::text::{push_hex, push_number};
use super::FleetRef;

impl FleetRef<'_> {
    /// Instances in one location, oldest first; absent if the fleet is not there or has no instances (Anywhere).
    pub fn instances(&self, location: &str) -> Option<Vec<Instance>> {
        let (fleet, now_ms) = (self.fleet, self.world.now_ms);
        let (_, site) = fleet.site(location).filter(|_| !fleet.is_anywhere())?;
        let shown = site.machines.iter().filter(|machine| now_ms < machine.gone_ms);
        Some(shown.map(|machine| self.instance(site, machine)).collect())
    }

    fn instance(&self, site: &Site, machine: &Machine) -> Instance {
        let (fleet, now_ms) = (self.fleet, self.world.now_ms);
        let connection = self.world.machine_connection(fleet, &site.name, machine.number, 0);
        let known = machine.ready_ms <= now_ms;
        Instance {
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            instance_id: self.world.names.instance(machine.number),
            ip_address: known.then_some(connection.ip_address),
            dns_name: if known { connection.dns_name } else { None },
            operating_system: fleet.operating_system(),
            instance_type: fleet.instance_type.clone(),
            status: machine.status(now_ms),
            creation_time_ms: machine.created_ms,
            location: site.name.clone(),
        }
    }

    /// Computes in one location, oldest first; absent if the fleet is not there.
    pub fn computes(&self, location: &str) -> Option<Vec<Compute>> {
        let now_ms = self.world.now_ms;
        let (_, site) = self.fleet.site(location)?;
        let slots = if self.fleet.is_container() { self.fleet.slots_per_instance } else { 1 };
        let shown = site.machines.iter().filter(|machine| now_ms < machine.gone_ms);
        Some(shown.flat_map(|machine| (0..slots).map(|slot| self.compute(site, machine, slot))).collect())
    }

    /// The compute with this name, in any location.
    pub fn compute_named(&self, name: &str) -> Option<Compute> {
        let computes = self.fleet.places().filter_map(|site| self.computes(&site.name));
        computes.flatten().find(|compute| compute.compute_name == name)
    }

    /// Connection ports of a compute's game server container, by container port; empty for a compute without
    /// containers. Game sessions report the first port.
    pub fn container_ports(&self, compute_name: &str) -> Vec<PortMapping> {
        let (fleet, world) = (self.fleet, self.world);
        let places = fleet.places().flat_map(|site| site.machines.iter().map(move |machine| (site, machine)));
        let mut slots = places.flat_map(|(site, machine)| {
            (0..machine.slots.len()).map(move |slot| (&site.name, machine, slot))
        });
        let named = |location: &str, machine: &Machine, slot: usize| {
            world.machine_connection(fleet, location, machine.number, slot).compute_name == compute_name
        };
        let Some((_, machine, slot)) =
            slots.find(|(location, machine, slot)| named(location, machine, *slot))
        else {
            return Vec::new();
        };
        let definitions = world.regions[fleet.region].definitions.iter();
        let mut running = definitions
            .filter(|known| machine.binary.as_deref() == Some(known.container_group_definition_arn.as_str()));
        let container = running.next().and_then(|known| known.game_server_container_definition.as_ref());
        let ranges = container.map(|container| container.port_configuration.as_slice()).unwrap_or_default();
        let ports = ranges.iter().flat_map(|range| {
            (range.from_port..=range.to_port).map(|container_port| (container_port, range.protocol))
        });
        let mapped = ports.enumerate().map(|(place, (container_port, protocol))| PortMapping {
            container_port,
            connection_port: fleet.base_port + (place * machine.slots.len() + slot) as u16,
            protocol,
        });
        mapped.collect()
    }

    fn compute(&self, site: &Site, machine: &Machine, slot: usize) -> Compute {
        let (fleet, world, now_ms) = (self.fleet, self.world, self.world.now_ms);
        let connection = world.machine_connection(fleet, &site.name, machine.number, slot);
        let known = machine.ready_ms <= now_ms;
        let managed = !fleet.is_anywhere();
        let ec2 = managed && !fleet.is_container();
        let status = match (machine.status(now_ms), fleet.is_container()) {
            (InstanceStatus::Pending, _) => ComputeStatus::Pending,
            (InstanceStatus::Terminating, _) => ComputeStatus::Terminating,
            (InstanceStatus::Active, true) => ComputeStatus::ActiveContainer,
            (InstanceStatus::Active, false) => ComputeStatus::Active,
        };
        let group = match &fleet.hosting {
            Hosting::Container { definition, .. } => Some(definition),
            _ => None,
        };
        Compute {
            fleet_id: fleet.id.clone(),
            fleet_arn: fleet.arn.clone(),
            compute_arn: (!ec2).then(|| {
                format!(
                    "arn:aws:gamelift:{}:{}:compute/{}",
                    fleet.home, world.account, connection.compute_name
                )
            }),
            compute_name: connection.compute_name,
            ip_address: known.then_some(connection.ip_address),
            dns_name: if known { connection.dns_name } else { None },
            compute_status: status,
            location: site.name.clone(),
            creation_time_ms: machine.created_ms,
            operating_system: managed.then(|| fleet.operating_system()),
            instance_type: managed.then(|| fleet.instance_type.clone()),
            game_lift_service_sdk_endpoint: Some(format!("wss://{}.api.amazongamelift.com", fleet.home)),
            instance_id: fleet.is_container().then(|| world.names.instance(machine.number)),
            container_attributes: group
                .map(|name| ContainerAttribute {
                    container_name: format!("{name}-server"),
                    container_runtime_id: world.names.container(machine.number, slot),
                })
                .into_iter()
                .collect(),
            game_server_container_group_definition_arn: machine.binary.as_deref().map(str::to_owned),
        }
    }
}

impl Names {
    /// Runtime id of the container in a slot of an instance.
    fn container(&self, machine: u32, slot: usize) -> String {
        let number = (u64::from(machine) << 16) | slot as u64;
        format!("{:016x}{:016x}", self.value(Kind::Container, number), self.value(Kind::Container, !number))
    }
}

impl Machine {
    fn status(&self, now_ms: i64) -> InstanceStatus {
        if self.is_terminating(now_ms) {
            InstanceStatus::Terminating
        } else if self.is_pending(now_ms) {
            InstanceStatus::Pending
        } else {
            InstanceStatus::Active
        }
    }
}

/// The place of a server process, from which its addresses and the name of its compute derive.
#[derive(Clone, Copy, Debug)]
pub struct Host<'a> {
    pub(crate) names: Names,
    pub(crate) fleet: &'a Fleet,
    pub(crate) location: &'a str,
    /// Number of the instance or Anywhere compute.
    pub(crate) machine: u32,
    /// Index of the server process on that machine.
    pub(crate) slot: usize,
}

impl Host<'_> {
    /// Returns the rack number of an Anywhere compute.
    fn rack(&self) -> u32 {
        let site = self.fleet.site(self.location);
        let first = site.and_then(|(_, site)| site.first_machine).unwrap_or_default();
        self.machine.saturating_sub(first) + 1
    }

    fn octets(&self) -> [u8; 4] {
        if self.fleet.is_anywhere() {
            let rack = self.rack();
            [10, 20, (rack >> 8) as u8, rack as u8]
        } else {
            self.names.address(self.machine).octets()
        }
    }

    fn push_octets(&self, text: &mut String, between: char) {
        for (place, octet) in self.octets().into_iter().enumerate() {
            if place > 0 {
                text.push(between);
            }
            push_number(text, octet.into());
        }
    }

    /// Appends the IP address.
    pub fn push_ip_address(&self, text: &mut String) {
        self.push_octets(text, '.');
    }

    /// Appends the DNS name. Returns whether there is one.
    pub fn push_dns_name(&self, text: &mut String) -> bool {
        if self.fleet.is_anywhere() {
            return false;
        }
        if self.fleet.certificate {
            // With a certificate, the name refers to the instance, not to its address (model, GameSession: DnsName).
            push_hex(text, self.names.value(Kind::Certificate, self.machine.into()), 16);
            text.push('.');
            text.push_str(self.location);
            text.push_str(".amazongamelift.com");
            return true;
        }
        text.push_str("ec2-");
        self.push_octets(text, '-');
        text.push('.');
        if self.location == "us-east-1" {
            text.push_str("compute-1");
        } else {
            text.push_str(self.location);
            text.push_str(".compute");
        }
        text.push_str(".amazonaws.com");
        true
    }

    /// Appends the name of the compute.
    pub fn push_compute_name(&self, text: &mut String) {
        if self.fleet.is_anywhere() {
            let rack = self.rack();
            text.push_str(&self.fleet.stem);
            text.push_str(if rack < 10 { "-rack-0" } else { "-rack-" });
            push_number(text, rack.into());
            return;
        }
        self.names.push_instance(text, self.machine);
        if self.fleet.is_container() {
            let number = (u64::from(self.machine) << 16) | self.slot as u64;
            text.push('/');
            push_hex(text, self.names.value(Kind::Container, number), 8);
        }
    }
}

impl World {
    /// Returns the addresses and the compute name of a server process.
    pub(crate) fn machine_connection(
        &self,
        fleet: &Fleet,
        location: &str,
        machine: u32,
        slot: usize,
    ) -> Connection {
        let host = Host { names: self.names, fleet, location, machine, slot };
        let (mut ip_address, mut dns_name, mut compute_name) =
            (String::with_capacity(16), String::with_capacity(64), String::with_capacity(32));
        host.push_ip_address(&mut ip_address);
        let named = host.push_dns_name(&mut dns_name);
        host.push_compute_name(&mut compute_name);
        Connection { ip_address, dns_name: named.then_some(dns_name), compute_name }
    }
}
