//! The kinds of documents, and how they differ apart from their records.

use liftdeck_model::observation::Subject;

use crate::error::StoreError;

/// Kinds of documents, as `resource.kind` spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::writer) enum ResourceKind {
    Fleet,
    FleetLocation,
    Compute,
    ScalingPolicy,
    RuntimeConfiguration,
    PortSettings,
    FleetDeployment,
    Queue,
    Alias,
    MatchmakingConfiguration,
    MatchmakingRuleSet,
    Build,
    Script,
}

impl ResourceKind {
    const ALL: [Self; 13] = [
        Self::Fleet,
        Self::FleetLocation,
        Self::Compute,
        Self::ScalingPolicy,
        Self::RuntimeConfiguration,
        Self::PortSettings,
        Self::FleetDeployment,
        Self::Queue,
        Self::Alias,
        Self::MatchmakingConfiguration,
        Self::MatchmakingRuleSet,
        Self::Build,
        Self::Script,
    ];

    pub(in crate::writer) const fn text(self) -> &'static str {
        match self {
            Self::Fleet => "fleet",
            Self::FleetLocation => "fleet_location",
            Self::Compute => "compute",
            Self::ScalingPolicy => "scaling_policy",
            Self::RuntimeConfiguration => "runtime_configuration",
            Self::PortSettings => "port_settings",
            Self::FleetDeployment => "fleet_deployment",
            Self::Queue => "queue",
            Self::Alias => "alias",
            Self::MatchmakingConfiguration => "matchmaking_configuration",
            Self::MatchmakingRuleSet => "matchmaking_rule_set",
            Self::Build => "build",
            Self::Script => "script",
        }
    }

    pub(in crate::writer) fn from_text(text: &str) -> Result<Self, StoreError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.text() == text)
            .ok_or_else(|| StoreError::Unreadable { what: format!("resource.kind `{text}`") })
    }

    /// Name of the rows in [`crate::Written`].
    pub(super) const fn rows(self) -> &'static str {
        match self {
            Self::Fleet => "fleets",
            Self::FleetLocation => "fleet_locations",
            Self::Compute => "computes",
            Self::ScalingPolicy => "scaling_policies",
            Self::RuntimeConfiguration => "runtime_configurations",
            Self::PortSettings => "port_settings",
            Self::FleetDeployment => "fleet_deployments",
            Self::Queue => "queues",
            Self::Alias => "aliases",
            Self::MatchmakingConfiguration => "matchmaking_configurations",
            Self::MatchmakingRuleSet => "matchmaking_rule_sets",
            Self::Build => "builds",
            Self::Script => "scripts",
        }
    }

    pub(super) const fn subject(self) -> Subject {
        match self {
            Self::Queue => Subject::Queues,
            Self::Alias => Subject::Aliases,
            Self::MatchmakingConfiguration | Self::MatchmakingRuleSet => Subject::Matchmaking,
            Self::Build | Self::Script => Subject::Builds,
            _ => Subject::Fleets,
        }
    }

    /// Whether its changes are recorded. Computes come and go all day; what matters about them is in the fleet
    /// events.
    pub(super) const fn has_history(self) -> bool {
        !matches!(self, Self::Compute)
    }

    /// Whether a field that changed alone is the only trace of a change: of one that was taken back between two polls,
    /// or of a setting that GameLift does not return.
    pub(super) fn is_trace(self, field: &str) -> bool {
        self == Self::Alias && field == "last_updated_time"
    }

    /// Whether a field changes without anybody changing a setting.
    pub(super) fn restless(self, field: &str) -> bool {
        match self {
            Self::FleetLocation => field == "update_pending",
            Self::Alias => field == "last_updated_time",
            Self::ScalingPolicy => field == "update_status",
            _ => false,
        }
    }
}
