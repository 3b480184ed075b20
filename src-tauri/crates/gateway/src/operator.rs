//! The half of the gateway that makes changes: every change of one Region, sent only while a grant is valid.
//!
//! Owns sending a change, reading what it made and the list of permissions needed. The requests themselves are in the
//! submodules, one per subject. Deliberately asks for no consent, keeps no record and validates no form: the guard of
//! `liftdeck-operations`, its only user, does all three first.

use std::error::Error;
use std::future::Future;
use std::sync::Arc;

use aws_sdk_gamelift::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_gamelift::operation::RequestId;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use bytes::Bytes;
use liftdeck_model::action::Request;
use liftdeck_model::alias::Alias;
use liftdeck_model::content::Script;
use liftdeck_model::game_session::GameSession;
use liftdeck_model::matchmaking::Ticket;
use liftdeck_model::placement::Placement;
use liftdeck_model::queue::GameSessionQueue;
use liftdeck_model::{PlayerId, PlayerSessionId, Region};

use crate::call::Call;
use crate::error::{ErrorKind, GatewayError};
use crate::gateway::Site;
use crate::grant::Grant;
use crate::mapping::Lacks;

mod alias;
mod fleet;
mod game_session;
mod matchmaking;
mod placement;
mod queue;
mod script;

/// The IAM actions of all changes, for an operator's policy. A policy without them is read-only on AWS too.
pub const OPERATOR_ACTIONS: [&str; 22] = [
    "gamelift:CreateGameSession",
    "gamelift:UpdateGameSession",
    "gamelift:TerminateGameSession",
    "gamelift:CreatePlayerSessions",
    "gamelift:StartGameSessionPlacement",
    "gamelift:StopGameSessionPlacement",
    "gamelift:CreateAlias",
    "gamelift:UpdateAlias",
    "gamelift:DeleteAlias",
    "gamelift:UpdateFleetCapacity",
    "gamelift:PutScalingPolicy",
    "gamelift:DeleteScalingPolicy",
    "gamelift:StopFleetActions",
    "gamelift:StartFleetActions",
    "gamelift:UpdateFleetAttributes",
    "gamelift:CreateGameSessionQueue",
    "gamelift:UpdateGameSessionQueue",
    "gamelift:StartMatchmaking",
    "gamelift:AcceptMatch",
    "gamelift:StopMatchmaking",
    "gamelift:StartMatchBackfill",
    "gamelift:UpdateScript",
];

/// All changes of one Region of a connection. Code outside this crate cannot obtain one without a grant.
#[derive(Clone, Debug)]
pub struct Operator {
    site: Arc<Site>,
    grant: Grant,
}

/// A change that AWS accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// AWS request id.
    pub request_id: String,
    /// What was made, or the resource after the change.
    pub made: Made,
}

/// What the response to a change contains.
#[derive(Clone, Debug, PartialEq)]
pub enum Made {
    /// Nothing worth keeping.
    Nothing,
    /// The game session at the time of the response.
    GameSession(Box<GameSession>),
    /// Reserved player sessions.
    PlayerSessions(Vec<ReservedPlayerSession>),
    /// The placement, usually still PENDING.
    Placement(Box<Placement>),
    /// The alias.
    Alias(Box<Alias>),
    /// The queue.
    Queue(Box<GameSessionQueue>),
    /// The ticket, usually still QUEUED.
    Ticket(Box<Ticket>),
    /// The script.
    Script(Box<Script>),
}

/// A slot reserved for a player, with what the player needs to connect. AWS keeps it for 60 seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReservedPlayerSession {
    /// Player.
    pub player_id: PlayerId,
    /// Player session.
    pub player_session_id: PlayerSessionId,
    /// Address.
    pub ip_address: Option<String>,
    /// DNS name.
    pub dns_name: Option<String>,
    /// Port.
    pub port: Option<i32>,
}

impl Operator {
    pub(crate) const fn new(site: Arc<Site>, grant: Grant) -> Self {
        Self { site, grant }
    }

    /// The Region that is changed.
    pub fn region(&self) -> &Region {
        &self.site.region
    }

    /// Sends one change. `attachment` holds the bytes of a script's zip; all other changes ignore it.
    ///
    /// A change is retried only if AWS certainly did not carry it out: AWS throttled the attempt, or no connection
    /// was made. It waits at most a minute for room in the request budget. Do not drop the future once the change is
    /// sent: the response would be lost.
    ///
    /// # Errors
    /// Any kind; `ReadOnly` when the grant ended before an attempt. [`GatewayError::may_have_happened`] says whether
    /// the change may nevertheless have been carried out.
    pub async fn send(&self, request: &Request, attachment: Option<Bytes>) -> Result<Sent, GatewayError> {
        let resource = request.resource().id;
        let resource = (!resource.is_empty()).then_some(resource.as_str());
        let call = Call::change(request.operation(), resource, &self.grant);
        let change = Change { site: &self.site, call };
        match request {
            Request::CreateGameSession(it) => game_session::create(&change, it).await,
            Request::UpdateGameSession(it) => game_session::update(&change, it).await,
            Request::TerminateGameSession(it) => game_session::terminate(&change, it).await,
            Request::CreatePlayerSessions(it) => game_session::reserve(&change, it).await,
            Request::StartGameSessionPlacement(it) => placement::start(&change, it).await,
            Request::StopGameSessionPlacement(it) => placement::stop(&change, it).await,
            Request::CreateAlias(it) => alias::create(&change, it).await,
            Request::UpdateAlias(it) => alias::update(&change, it).await,
            Request::DeleteAlias(it) => alias::delete(&change, it).await,
            Request::UpdateFleetCapacity(it) => fleet::capacity(&change, it).await,
            Request::PutScalingPolicy(it) => fleet::put_policy(&change, it).await,
            Request::DeleteScalingPolicy(it) => fleet::delete_policy(&change, it).await,
            Request::StopFleetActions(it) => fleet::stop_actions(&change, it).await,
            Request::StartFleetActions(it) => fleet::start_actions(&change, it).await,
            Request::UpdateFleetAttributes(it) => fleet::attributes(&change, it).await,
            Request::CreateGameSessionQueue(it) => queue::create(&change, it).await,
            Request::UpdateGameSessionQueue(it) => queue::update(&change, it).await,
            Request::StartMatchmaking(it) => matchmaking::start(&change, it).await,
            Request::AcceptMatch(it) => matchmaking::answer(&change, it).await,
            Request::StopMatchmaking(it) => matchmaking::stop(&change, it).await,
            Request::StartMatchBackfill(it) => matchmaking::backfill(&change, it).await,
            Request::UpdateScript(it) => script::update(&change, it, attachment).await,
        }
    }
}

/// One change in progress.
struct Change<'a> {
    site: &'a Site,
    call: Call<'a>,
}

impl Change<'_> {
    fn client(&self) -> &aws_sdk_gamelift::Client {
        &self.site.clients.gamelift
    }

    fn region(&self) -> &Region {
        &self.site.region
    }

    /// Sends the change and reads what it made. A success that cannot be read is an error with `may_have_happened`
    /// set.
    async fn send<O, E, Fut>(
        &self,
        send: impl Fn() -> Fut,
        made: impl FnOnce(O) -> Result<Made, Lacks>,
    ) -> Result<Sent, GatewayError>
    where
        O: RequestId,
        Fut: Future<Output = Result<O, SdkError<E, HttpResponse>>>,
        E: ProvideErrorMetadata + Error + 'static,
    {
        let answer = self.site.proven.call(self.call, send).await?;
        let Some(request_id) = answer.request_id().map(str::to_owned) else {
            // Every AWS response has a request id; a proxy or a captive portal answers 200 to anything.
            return Err(self.uncertain(None, "the answer has no request id, so it may not be from AWS"));
        };
        match made(answer) {
            Ok(made) => Ok(Sent { request_id, made }),
            Err(lacks) => Err(self.uncertain(Some(request_id), &lacks.to_string())),
        }
    }

    /// The error for a response that cannot be trusted to a change that may have been carried out.
    fn uncertain(&self, request_id: Option<String>, why: &str) -> GatewayError {
        GatewayError {
            request_id,
            may_have_happened: true,
            ..self.site.proven.error(ErrorKind::Decode, self.call.operation, self.call.resource, why)
        }
    }

    /// The error for a request that cannot be built; nothing was sent.
    fn refuse(&self, message: &str) -> GatewayError {
        self.site.proven.error(ErrorKind::Invalid, self.call.operation, self.call.resource, message)
    }
}
