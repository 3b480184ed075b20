//! Every type in the list of commands, by its bare name, for macros that expand the list.
//!
//! Most are the core's own types: an answer is what the core read, defined only once.

pub use liftdeck_collector::{Focus, Health};
pub use liftdeck_gateway::{AwsProfile, PermissionCheck};
pub use liftdeck_insight::answer::activity::{ActivityPage, ActivityRow};
pub use liftdeck_insight::answer::alias::AliasRow;
pub use liftdeck_insight::answer::content::ContentList;
pub use liftdeck_insight::answer::fleet::{FleetDetail, FleetEventRow, FleetList, InstanceList};
pub use liftdeck_insight::answer::matchmaking::{MatchmakingEventRow, MatchmakingOverview};
pub use liftdeck_insight::answer::metric::MetricList;
pub use liftdeck_insight::answer::placement::{PlacementDetail, PlacementGroups, PlacementPage};
pub use liftdeck_insight::answer::player::PlayerDossier;
pub use liftdeck_insight::answer::player_data::PlayerData;
pub use liftdeck_insight::answer::queue::{QueueDetail, QueueRow};
pub use liftdeck_insight::answer::session::SessionDetail;
pub use liftdeck_insight::answer::ticket::{TicketDetail, TicketRow};
pub use liftdeck_insight::custom::CustomTried;
pub use liftdeck_insight::difference::{Differences, SessionDifferenceQuery};
pub use liftdeck_insight::incident::{EvidenceFilter, EvidenceLine, Incident, IncidentOf, IncidentScope};
pub use liftdeck_insight::{AlertList, AlertStory, FleetScaling, Overview};
pub use liftdeck_insight::{RuleListed, RuleTried};
pub use liftdeck_model::action::Action;
pub use liftdeck_model::activity::{ActivityId, RunId};
pub use liftdeck_model::alert::AlertId;
pub use liftdeck_model::alert_rule::{RuleScope, RuleSetting};
pub use liftdeck_model::channel::Channel;
pub use liftdeck_model::feed::Adoption;
pub use liftdeck_model::observation::Subject;
pub use liftdeck_model::query::check::QueryCheck;
pub use liftdeck_model::search::{SearchCheck, SearchQuery};
pub use liftdeck_model::silence::SilenceId;
pub use liftdeck_model::time::TimeRange;
pub use liftdeck_model::{
    AliasId, FleetId, GameSessionId, PlacementId, PlayerId, PlayerSessionId, QueueName, Region, TicketId,
};
pub use liftdeck_operations::{Archive, Intent, Preview, PreviewId, RepointComparison, RepointWatch, Run};
pub use liftdeck_report::ReportFormat;
pub use liftdeck_store::Preset;
pub use liftdeck_store::export::Format;
pub use liftdeck_store::reader::activity::ActivityRequest;
pub use liftdeck_store::reader::feed::AsideMessage;
pub use liftdeck_store::reader::find::Found;
pub use liftdeck_store::reader::hit_player::HitPlayer;
pub use liftdeck_store::reader::matchmaking::{TicketRequest, TicketScope};
pub use liftdeck_store::reader::placement::{PlacementRequest, PlacementScope, PlacementSplit};
pub use liftdeck_store::reader::player::PlayerHit;
pub use liftdeck_store::reader::series::{MetricsOf, MetricsRequest, SeriesRequest};
pub use liftdeck_store::reader::session::GameSessionRow;
pub use liftdeck_store::reader::window::{Listed, Page};

pub use crate::changed::*;
pub use crate::command::File;
pub use crate::connection::*;
pub use crate::delivery::*;
pub use crate::feed::*;
pub use crate::operate::*;
pub use crate::rule::*;
pub use crate::search::*;
pub use crate::series::*;
pub use crate::session::*;
pub use crate::settings::*;
