//! Starts the collector on an open database, and stops it again.
//!
//! Ensures that nothing runs before AWS has confirmed whose credentials these are, and retries until it has.
//! Meanwhile the collected data stays on screen, and nothing is written or changed.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use liftdeck_alerts::Watch;
use liftdeck_collector::Collector;
use liftdeck_delivery::{Delivery, Sender};
use liftdeck_gateway::Gateway;
use liftdeck_model::activity::ActivitySource;
use liftdeck_operations::Guard;
use liftdeck_store::Writer;
use tokio::sync::OnceCell;

use super::{OpenConnection, feed};
use crate::settings::collector_options;
use crate::shared::{SharedConnection, guard_options};
use liftdeck_api::connection::ConnectionSummary;
use liftdeck_api::error::AppError;

/// The pause before the first retry.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
/// The longest pause between retries.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl OpenConnection {
    /// Starts collecting, with this gateway if its account is already proven.
    pub(super) fn start(self: &Arc<Self>, gateway: Option<Gateway>) {
        let (roll, open) = (self.roll.clone(), Arc::clone(self));
        let starting = tokio::spawn(async move {
            let begin = || Arc::clone(&open).started(gateway.clone());
            roll.carry("The start of collection", pending::<()>, begin).await;
        });
        let mut collection = self.collection.lock();
        collection.trouble = None;
        collection.starting = Some(starting);
    }

    /// Stops collecting and accepting commands.
    pub(super) async fn stop(&self) {
        // Stopped first, so that it opens nothing after the rest is closed here.
        let starting = self.collection.lock().starting.take();
        if let Some(starting) = starting {
            starting.abort();
            // The task is expected to end as aborted, and it holds nothing that must be released.
            let _ = starting.await;
        }
        self.give_up().await;
    }

    async fn give_up(&self) {
        let command_socket = self.command_socket.lock().take();
        if let Some(command_socket) = command_socket {
            command_socket.close().await;
        }
        let guard = self.guard.send_replace(None);
        if let Some(guard) = guard {
            guard.close().await;
        }
        let (collector, watch, sender) = {
            let mut collection = self.collection.lock();
            (collection.collector.take(), collection.watch.take(), collection.sender.take())
        };
        if let Some((_, sender)) = sender {
            sender.stop().await;
        }
        if let Some(watch) = watch {
            watch.stop().await;
        }
        if let Some(collector) = collector {
            collector.stop().await;
        }
    }

    async fn started(self: Arc<Self>, mut gateway: Option<Gateway>) {
        let mut pause = FIRST_PAUSE;
        while let Err(trouble) = self.collect(gateway.take()).await {
            tracing::warn!(error = %trouble, "Collection could not start.");
            self.give_up().await;
            self.collection.lock().trouble = Some(trouble);
            tokio::select! {
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(LONGEST_PAUSE),
                () = self.again.notified() => pause = FIRST_PAUSE,
            }
        }
        self.collection.lock().trouble = None;
    }

    async fn collect(&self, gateway: Option<Gateway>) -> Result<(), AppError> {
        let gateway = match gateway {
            Some(gateway) => gateway,
            None => self.connect().await?,
        };
        // Done before anything that writes is opened: records of another account must not get into this database.
        Box::pin(gateway.prove()).await?;
        let (writer, notices) = match self.held.lock().await.as_ref() {
            Some(held) => (held.store.writer()?, held.store.notices()),
            None => return Ok(()),
        };
        self.mark.keep(&writer).await?;
        let (name, objection) = (self.connection.name.clone(), Arc::clone(&self.objection));
        let (environment, source) = (self.mark.environment, ActivitySource::Window);
        let options = guard_options(name, environment, objection, source, Arc::clone(&self.clock));
        let guard = Guard::open(gateway.clone(), writer.clone(), self.reader.clone(), options);
        let guard = Box::pin(guard).await?;
        self.guard.send_replace(Some(guard.clone()));
        self.open_door(guard, gateway.clone(), writer.clone());
        let settings = self.collection.lock().settings;
        let ConnectionSummary { regions, event_queues, .. } = self.connection.clone();
        let options = collector_options(regions, event_queues, &settings);
        if self.held.lock().await.as_ref().is_some_and(|held| held.stage.is_some()) {
            // Liftdeck created this world and its queues, so they cannot belong to anybody else.
            feed::adopt_own(&gateway, &options.event_queues, &writer, &self.clock).await?;
        }
        let (reader, clock) = (self.reader.clone(), Arc::clone(&self.clock));
        let delivery = Delivery {
            reader: reader.clone(),
            writer: writer.clone(),
            gateway: gateway.clone(),
            account: self.account.to_string(),
            connection: self.connection.name.clone(),
            clock: Arc::clone(&clock),
        };
        let sender = Sender::start(delivery.clone(), notices.resubscribe());
        let desk = self.desk.clone();
        let watch = Watch::start(reader.clone(), writer.clone(), notices, Arc::clone(&clock), desk);
        {
            let mut collection = self.collection.lock();
            collection.sender = Some((delivery, sender));
            collection.watch = Some(watch);
        }
        let collector = Collector::start(options, &gateway, writer, reader, clock);
        let collector = Box::pin(collector).await?;
        let mut collection = self.collection.lock();
        if let Some(focus) = &collection.focus {
            collector.focus(focus.clone());
        }
        collection.collector = Some(collector);
        Ok(())
    }

    /// Accepts commands from now on.
    fn open_door(&self, guard: Guard, gateway: Gateway, writer: Writer) {
        let shared = SharedConnection {
            database: self.database.clone(),
            account: self.account.clone(),
            mark: self.mark.clone(),
            objection: Arc::clone(&self.objection),
            gateway,
            writer,
            reader: self.reader.clone(),
            clock: Arc::clone(&self.clock),
            guard: OnceCell::new_with(Some(guard)),
            is_guard_shared: true,
        };
        *self.command_socket.lock() = (self.opener)(shared);
    }
}
