//! The codes of fleet events. AWS: `Event.EventCode`.

use crate::Severity;
use crate::open_enum;

open_enum! {
    /// What a fleet event is about.
    FleetEventCode {
        Generic = "GENERIC_EVENT",
        FleetCreated = "FLEET_CREATED",
        FleetDeleted = "FLEET_DELETED",
        FleetExpired = "FLEET_EXPIRED",
        FleetScaling = "FLEET_SCALING_EVENT",
        FleetStateDownloading = "FLEET_STATE_DOWNLOADING",
        FleetStateValidating = "FLEET_STATE_VALIDATING",
        FleetStateBuilding = "FLEET_STATE_BUILDING",
        FleetStateActivating = "FLEET_STATE_ACTIVATING",
        FleetStateActive = "FLEET_STATE_ACTIVE",
        FleetStateError = "FLEET_STATE_ERROR",
        FleetStatePending = "FLEET_STATE_PENDING",
        FleetStateCreating = "FLEET_STATE_CREATING",
        FleetStateCreated = "FLEET_STATE_CREATED",
        FleetStateUpdating = "FLEET_STATE_UPDATING",
        FleetInitializationFailed = "FLEET_INITIALIZATION_FAILED",
        FleetBinaryDownloadFailed = "FLEET_BINARY_DOWNLOAD_FAILED",
        FleetValidationLaunchPathNotFound = "FLEET_VALIDATION_LAUNCH_PATH_NOT_FOUND",
        FleetValidationExecutableRuntimeFailure = "FLEET_VALIDATION_EXECUTABLE_RUNTIME_FAILURE",
        FleetValidationTimedOut = "FLEET_VALIDATION_TIMED_OUT",
        FleetActivationFailed = "FLEET_ACTIVATION_FAILED",
        FleetActivationFailedNoInstances = "FLEET_ACTIVATION_FAILED_NO_INSTANCES",
        FleetProtectionPolicyUpdated = "FLEET_NEW_GAME_SESSION_PROTECTION_POLICY_UPDATED",
        ServerProcessInvalidPath = "SERVER_PROCESS_INVALID_PATH",
        ServerProcessSdkInitializationTimeout = "SERVER_PROCESS_SDK_INITIALIZATION_TIMEOUT",
        ServerProcessReadyTimeout = "SERVER_PROCESS_PROCESS_READY_TIMEOUT",
        ServerProcessCrashed = "SERVER_PROCESS_CRASHED",
        ServerProcessTerminatedUnhealthy = "SERVER_PROCESS_TERMINATED_UNHEALTHY",
        ServerProcessForceTerminated = "SERVER_PROCESS_FORCE_TERMINATED",
        ServerProcessExitTimeout = "SERVER_PROCESS_PROCESS_EXIT_TIMEOUT",
        ServerProcessSdkInitializationFailed = "SERVER_PROCESS_SDK_INITIALIZATION_FAILED",
        ServerProcessMisconfiguredContainerPort = "SERVER_PROCESS_MISCONFIGURED_CONTAINER_PORT",
        GameSessionActivationTimeout = "GAME_SESSION_ACTIVATION_TIMEOUT",
        FleetCreationExtractingBuild = "FLEET_CREATION_EXTRACTING_BUILD",
        FleetCreationRunningInstaller = "FLEET_CREATION_RUNNING_INSTALLER",
        FleetCreationValidatingRuntimeConfig = "FLEET_CREATION_VALIDATING_RUNTIME_CONFIG",
        FleetVpcPeeringSucceeded = "FLEET_VPC_PEERING_SUCCEEDED",
        FleetVpcPeeringFailed = "FLEET_VPC_PEERING_FAILED",
        FleetVpcPeeringDeleted = "FLEET_VPC_PEERING_DELETED",
        InstanceInterrupted = "INSTANCE_INTERRUPTED",
        InstanceRecycled = "INSTANCE_RECYCLED",
        InstanceReplacedUnhealthy = "INSTANCE_REPLACED_UNHEALTHY",
        FleetCreationCompletedInstaller = "FLEET_CREATION_COMPLETED_INSTALLER",
        FleetCreationFailedInstaller = "FLEET_CREATION_FAILED_INSTALLER",
        ComputeLogUploadFailed = "COMPUTE_LOG_UPLOAD_FAILED",
        GameServerContainerGroupCrashed = "GAME_SERVER_CONTAINER_GROUP_CRASHED",
        PerInstanceContainerGroupCrashed = "PER_INSTANCE_CONTAINER_GROUP_CRASHED",
        GameServerContainerGroupReplacedUnhealthy = "GAME_SERVER_CONTAINER_GROUP_REPLACED_UNHEALTHY",
        LocationStatePending = "LOCATION_STATE_PENDING",
        LocationStateCreating = "LOCATION_STATE_CREATING",
        LocationStateCreated = "LOCATION_STATE_CREATED",
        LocationStateActivating = "LOCATION_STATE_ACTIVATING",
        LocationStateActive = "LOCATION_STATE_ACTIVE",
        LocationStateUpdating = "LOCATION_STATE_UPDATING",
        LocationStateError = "LOCATION_STATE_ERROR",
        LocationStateDeleting = "LOCATION_STATE_DELETING",
        LocationStateDeleted = "LOCATION_STATE_DELETED",
    }
}

impl FleetEventCode {
    /// How severe an event with this code is. An unknown code is judged by its words: one that names a failure is
    /// bad.
    pub fn severity(&self) -> Severity {
        match self {
            Self::FleetExpired
            | Self::FleetStateError
            | Self::FleetInitializationFailed
            | Self::FleetBinaryDownloadFailed
            | Self::FleetValidationLaunchPathNotFound
            | Self::FleetValidationExecutableRuntimeFailure
            | Self::FleetActivationFailed
            | Self::FleetActivationFailedNoInstances
            | Self::ServerProcessInvalidPath
            | Self::ServerProcessSdkInitializationFailed
            | Self::ServerProcessMisconfiguredContainerPort
            | Self::FleetVpcPeeringFailed
            | Self::FleetCreationFailedInstaller
            | Self::ComputeLogUploadFailed
            | Self::LocationStateError => Severity::Bad,
            Self::FleetDeleted
            | Self::FleetValidationTimedOut
            | Self::ServerProcessSdkInitializationTimeout
            | Self::ServerProcessReadyTimeout
            | Self::ServerProcessCrashed
            | Self::ServerProcessTerminatedUnhealthy
            | Self::ServerProcessForceTerminated
            | Self::ServerProcessExitTimeout
            | Self::GameSessionActivationTimeout
            | Self::FleetVpcPeeringDeleted
            | Self::InstanceInterrupted
            | Self::InstanceRecycled
            | Self::InstanceReplacedUnhealthy
            | Self::GameServerContainerGroupCrashed
            | Self::PerInstanceContainerGroupCrashed
            | Self::GameServerContainerGroupReplacedUnhealthy
            | Self::LocationStateDeleted => Severity::Warning,
            Self::Other(code) if code.contains("FAIL") || code.contains("ERROR") => Severity::Bad,
            Self::Other(code) if code.contains("CRASH") || code.contains("UNHEALTHY") => Severity::Warning,
            _ => Severity::Info,
        }
    }

    /// Whether EC2 reclaimed the instance or GameLift replaced it.
    pub const fn is_instance_lost(&self) -> bool {
        matches!(self, Self::InstanceInterrupted | Self::InstanceRecycled)
    }

    /// Whether a server process, container group or instance crashed or was found unhealthy.
    pub const fn is_unhealthy(&self) -> bool {
        matches!(
            self,
            Self::ServerProcessCrashed
                | Self::ServerProcessTerminatedUnhealthy
                | Self::InstanceReplacedUnhealthy
                | Self::GameServerContainerGroupCrashed
                | Self::PerInstanceContainerGroupCrashed
                | Self::GameServerContainerGroupReplacedUnhealthy
        )
    }

    /// Whether a server process did not start, crashed or had to be ended.
    pub const fn is_process_failure(&self) -> bool {
        matches!(
            self,
            Self::ServerProcessInvalidPath
                | Self::ServerProcessSdkInitializationTimeout
                | Self::ServerProcessSdkInitializationFailed
                | Self::ServerProcessReadyTimeout
                | Self::ServerProcessCrashed
                | Self::ServerProcessTerminatedUnhealthy
                | Self::GameServerContainerGroupCrashed
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_bad_news_also_under_a_code_nobody_knows_yet() {
        for (code, severity) in [
            ("SERVER_PROCESS_CRASHED", Severity::Warning),
            ("FLEET_STATE_ERROR", Severity::Bad),
            ("FLEET_SCALING_EVENT", Severity::Info),
            ("FLEET_TELEPORT_FAILED", Severity::Bad),
            ("FLEET_TELEPORTED", Severity::Info),
        ] {
            assert_eq!(FleetEventCode::from(code).severity(), severity, "{code}");
        }
    }
}
