//! The protection of live game sessions: scale-in must not end the sessions a drain waits for.
//!
//! Owns which sessions are protected. They are sent like every other change of the drain.

use std::collections::HashSet;

use liftdeck_gateway::{ErrorKind, GameSessionFilter, GatewayError};
use liftdeck_model::Timestamp;
use liftdeck_model::action::{Action, Protection, Request, UpdateGameSession};
use liftdeck_model::activity::FactChange;
use liftdeck_model::fleet::ProtectionPolicy;
use liftdeck_model::game_session::{GameSession, GameSessionStatus};

use super::{halted, unrecorded};
use crate::intent::DrainPlan;
use crate::send::run::item::{Item, Seen};
use crate::send::run::runner::{Halt, Runner};

impl Runner {
    /// Adds the protection of unprotected live sessions to the plan, once.
    pub(super) async fn plan_protection(&mut self, plan: &DrainPlan, at: usize) -> Result<(), Halt> {
        if self.state.drain.as_ref().is_some_and(|drain| drain.sessions_planned) {
            return Ok(());
        }
        let seen_at = self.sender.connection.now();
        let sessions = self.live_with_protection(plan).await?;
        let first = self.plan.items.len();
        let open = sessions
            .iter()
            .filter(|session| session.protection_policy != Some(ProtectionPolicy::FullProtection));
        self.plan.items.extend(open.map(|session| protection_of(plan, session, seen_at)));
        let all = self.plan.items.len();
        self.state.progress.grow(all);
        if let Some(drain) = &mut self.state.drain {
            drain.sessions_planned = true;
            if let Some(step) = drain.steps.get_mut(at) {
                step.items.extend((first..all).filter_map(|item| u32::try_from(item).ok()));
            }
        }
        self.write_plan().await.map_err(|error| unrecorded(&error))
    }

    async fn live_with_protection(&self, plan: &DrainPlan) -> Result<Vec<GameSession>, Halt> {
        let aws = self.sender.connection.reader(&plan.region).map_err(|error| halted(&error))?;
        let mut found = Vec::new();
        for status in [GameSessionStatus::Activating, GameSessionStatus::Active] {
            let filter = GameSessionFilter { location: None, status: Some(status) };
            let mut from = None;
            loop {
                let page = aws.game_session_details_page(&plan.fleet_id, &filter, from).await;
                let page = page
                    .and_then(|page| page.flaw.clone().map_or(Ok(page), Err))
                    .map_err(|error| unread(&error))?;
                found.extend(page.items);
                from = page.next;
                if from.is_none() {
                    break;
                }
            }
        }
        // One that became ACTIVE between the two listings is in both.
        let mut seen = HashSet::new();
        found.retain(|session| seen.insert(session.game_session_id.clone()));
        Ok(found)
    }
}

/// Makes the change that protects one live session, with its undo.
fn protection_of(plan: &DrainPlan, session: &GameSession, at: Timestamp) -> Item {
    let update = |protection: Protection| Action {
        region: plan.region.clone(),
        request: Request::UpdateGameSession(UpdateGameSession {
            game_session_id: session.game_session_id.clone(),
            name: None,
            maximum_player_session_count: None,
            player_session_creation_policy: None,
            protection_policy: Some(protection),
            game_properties: Vec::new(),
        }),
    };
    Item {
        action: update(Protection::FullProtection),
        name: session.name.clone(),
        fleet_id: Some(plan.fleet_id.clone()),
        facts: vec![FactChange {
            label: "Protection".to_owned(),
            before: Some(Protection::NoProtection.as_str().to_owned()),
            after: Some(Protection::FullProtection.as_str().to_owned()),
        }],
        undo: vec![update(Protection::NoProtection)],
        undo_of: None,
        seen: Some(Seen { at, ground: Vec::new(), game_sessions: 1, player_sessions: 0 }),
    }
}

fn unread(error: &GatewayError) -> Halt {
    let later = if error.kind == ErrorKind::Denied { "that is allowed" } else { "AWS can be asked" };
    Halt::Paused(format!("{error}. Resume it when {later}."))
}
