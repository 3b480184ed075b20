//! The plans of the fleets: content, locations, size, age and scaling.

use super::super::records::ContainerFleetBillingType;
use super::super::records::FleetType;
use super::super::records::ProtectionPolicy::{self, FullProtection, NoProtection};
use super::LAB;
use super::content::{CANDIDATE_BUILD, CURRENT_BUILD, PREVIOUS_BUILD};

/// What a fleet runs on.
#[derive(Clone, Copy)]
pub(super) enum On {
    Build(FleetType, usize),
    Script,
    Container(ContainerFleetBillingType),
    Anywhere,
}

/// How a fleet scales.
#[derive(Clone, Copy)]
pub(super) enum Scales {
    /// Target tracking of PercentAvailableGameSessions.
    Target(f64),
    /// One rule that adds instances and one that removes them.
    Rules,
    /// By hand: AUTO_SCALING is stopped.
    ByHand,
    /// The fleet cannot scale.
    Not,
}

/// The plan from which a fleet is built.
pub(super) struct Plan<'a> {
    pub(super) name: &'a str,
    pub(super) region: usize,
    pub(super) on: On,
    pub(super) instance_type: &'static str,
    pub(super) slots: usize,
    pub(super) age_h: i64,
    pub(super) scales: Scales,
    pub(super) group: Option<&'static str>,
    pub(super) protection: ProtectionPolicy,
    /// Location, minimum, maximum and initial desired count; the home location first.
    pub(super) sites: &'a [(&'a str, u32, u32, u32)],
    pub(super) description: &'a str,
}

/// The fleets of every scenario.
pub(super) const PLANS: [Plan<'static>; 12] = [
    Plan {
        name: "arena-prod-eu",
        region: 0,
        on: On::Build(FleetType::OnDemand, CURRENT_BUILD),
        instance_type: "c5.xlarge",
        slots: 6,
        age_h: 44,
        scales: Scales::Target(20.0),
        group: Some("arena-prod"),
        protection: FullProtection,
        sites: &[("eu-west-1", 2, 16, 6), ("eu-central-1", 2, 18, 6), ("eu-north-1", 1, 16, 3)],
        description: "Arena, all modes, Europe",
    },
    Plan {
        name: "arena-spot-eu",
        region: 0,
        on: On::Build(FleetType::Spot, CURRENT_BUILD),
        instance_type: "c5.large",
        slots: 4,
        age_h: 46,
        scales: Scales::Target(12.0),
        group: Some("arena-spot"),
        protection: NoProtection,
        sites: &[("eu-west-1", 1, 24, 5), ("eu-central-1", 1, 28, 6)],
        description: "Arena casual on Spot, Europe",
    },
    Plan {
        name: "coop-script-eu",
        region: 0,
        on: On::Script,
        instance_type: "c5.large",
        slots: 5,
        age_h: 118 * 24,
        scales: Scales::Rules,
        group: None,
        protection: NoProtection,
        sites: &[("eu-west-1", 1, 6, 2)],
        description: "Expedition on Realtime servers, Europe",
    },
    Plan {
        name: "royale-containers-eu",
        region: 0,
        on: On::Container(ContainerFleetBillingType::OnDemand),
        instance_type: "c6g.xlarge",
        slots: 4,
        age_h: 12 * 24,
        scales: Scales::Target(25.0),
        group: Some("royale"),
        protection: FullProtection,
        sites: &[("eu-west-1", 1, 6, 2), ("eu-north-1", 1, 4, 1)],
        description: "Royale in containers, Europe",
    },
    Plan {
        name: "arena-prod-us",
        region: 1,
        on: On::Build(FleetType::OnDemand, CURRENT_BUILD),
        instance_type: "c5.xlarge",
        slots: 6,
        age_h: 60,
        scales: Scales::Target(20.0),
        group: Some("arena-prod"),
        protection: FullProtection,
        sites: &[("us-east-1", 2, 16, 5), ("us-west-2", 2, 12, 4), ("sa-east-1", 1, 12, 2)],
        description: "Arena, all modes, Americas",
    },
    Plan {
        name: "arena-spot-us",
        region: 1,
        on: On::Build(FleetType::Spot, CURRENT_BUILD),
        instance_type: "c5.large",
        slots: 4,
        age_h: 58,
        scales: Scales::Target(12.0),
        group: Some("arena-spot"),
        protection: NoProtection,
        sites: &[("us-east-1", 1, 20, 4), ("us-west-2", 1, 16, 3)],
        description: "Arena casual on Spot, Americas",
    },
    Plan {
        name: "royale-containers-us",
        region: 1,
        on: On::Container(ContainerFleetBillingType::Spot),
        instance_type: "c6g.xlarge",
        slots: 4,
        age_h: 6 * 24,
        scales: Scales::Target(25.0),
        group: Some("royale"),
        protection: NoProtection,
        sites: &[("us-east-1", 1, 6, 2)],
        description: "Royale in containers, Americas",
    },
    Plan {
        name: "arena-canary-us",
        region: 1,
        on: On::Build(FleetType::OnDemand, CANDIDATE_BUILD),
        instance_type: "c5.xlarge",
        slots: 6,
        age_h: 20,
        scales: Scales::ByHand,
        group: None,
        protection: NoProtection,
        sites: &[("us-east-1", 0, 2, 1)],
        description: "Arena 1.43 release candidate for invited players",
    },
    Plan {
        name: "arena-prod-ap",
        region: 2,
        on: On::Build(FleetType::OnDemand, CURRENT_BUILD),
        instance_type: "c6i.xlarge",
        slots: 6,
        age_h: 92,
        scales: Scales::Target(20.0),
        group: Some("arena-prod"),
        protection: FullProtection,
        sites: &[("ap-northeast-1", 2, 12, 3), ("ap-northeast-2", 1, 8, 2), ("ap-southeast-1", 1, 6, 2)],
        description: "Arena, all modes, Asia Pacific",
    },
    Plan {
        name: "coop-script-ap",
        region: 2,
        on: On::Script,
        instance_type: "c5.large",
        slots: 5,
        age_h: 203 * 24,
        scales: Scales::Target(30.0),
        group: None,
        protection: NoProtection,
        sites: &[("ap-northeast-1", 1, 4, 1)],
        description: "Expedition on Realtime servers, Asia Pacific",
    },
    Plan {
        name: "qa-lab-anywhere",
        region: 2,
        on: On::Anywhere,
        instance_type: "",
        slots: 4,
        age_h: 311 * 24,
        scales: Scales::Not,
        group: None,
        protection: NoProtection,
        sites: &[(LAB, 3, 3, 3)],
        description: "The test lab's own machines",
    },
    Plan {
        name: "arena-prod-ap-blue",
        region: 2,
        on: On::Build(FleetType::OnDemand, PREVIOUS_BUILD),
        instance_type: "c6i.xlarge",
        slots: 6,
        age_h: 9 * 24,
        scales: Scales::ByHand,
        group: None,
        protection: FullProtection,
        sites: &[("ap-northeast-1", 0, 4, 0)],
        description: "The release before, kept at zero to go back to",
    },
];

/// The fleet a launch day's alias is repointed to.
pub(super) const GREEN: Plan<'static> = Plan {
    name: "arena-prod-eu-green",
    region: 0,
    on: On::Build(FleetType::OnDemand, CANDIDATE_BUILD),
    instance_type: "c5.xlarge",
    slots: 6,
    age_h: 5,
    scales: Scales::Target(20.0),
    group: Some("arena-prod"),
    protection: FullProtection,
    sites: &[("eu-west-1", 3, 20, 7), ("eu-central-1", 3, 22, 8), ("eu-north-1", 2, 10, 3)],
    description: "Arena 1.43 for the launch, Europe",
};

/// The fleet to which a colleague points the live alias of the first region by mistake.
pub(super) const CANARY: Plan<'static> = Plan {
    name: "arena-canary-eu",
    region: 0,
    on: On::Build(FleetType::OnDemand, CURRENT_BUILD),
    instance_type: "c5.large",
    slots: 3,
    age_h: 30,
    scales: Scales::ByHand,
    group: None,
    protection: NoProtection,
    sites: &[("eu-west-1", 0, 1, 1)],
    description: "Arena for invited players, Europe",
};
