//! Who is told of alerts, and what is not told for a while.

use liftdeck_api::delivery::{ChannelState, ChannelTest, SilenceDraft, SilenceList};
use liftdeck_api::error::{AppError, ErrorKind};
use liftdeck_model::channel::Channel;
use liftdeck_model::notification::NotificationState;
use liftdeck_model::silence::SilenceId;
use liftdeck_store::Reader;

use crate::app::App;
use crate::delivery::{add_silence, find_channel, put_channel, silence_of};

/// How many messages of a channel are listed.
const NEWEST: u32 = 10;

pub(crate) async fn channel_list(app: &App) -> Result<Vec<ChannelState>, AppError> {
    states(&app.connection()?.reader).await
}

pub(crate) async fn channel_put(app: &App, channel: Channel) -> Result<Vec<ChannelState>, AppError> {
    let open = app.connection()?;
    put_channel(&open.writer().await?, channel).await?;
    states(&open.reader).await
}

pub(crate) async fn channel_remove(app: &App, name: String) -> Result<Vec<ChannelState>, AppError> {
    let open = app.connection()?;
    find_channel(&open.reader, &name).await?;
    open.writer().await?.remove_channel(&name).await?;
    states(&open.reader).await
}

pub(crate) async fn channel_test(app: &App, name: String) -> Result<ChannelTest, AppError> {
    let open = app.connection()?;
    let channel = find_channel(&open.reader, &name).await?;
    let tested = Box::pin(open.delivery()?.test(&channel)).await?;
    Ok(ChannelTest { is_delivered: tested.is_delivered, detail: tested.detail })
}

pub(crate) async fn silence_list(app: &App) -> Result<SilenceList, AppError> {
    silences(app, &app.connection()?.reader).await
}

pub(crate) async fn silence_add(app: &App, draft: SilenceDraft) -> Result<SilenceList, AppError> {
    let open = app.connection()?;
    let silence = silence_of(draft, app.now())?;
    add_silence(&open.writer().await?, silence).await?;
    silences(app, &open.reader).await
}

pub(crate) async fn silence_end(app: &App, id: SilenceId) -> Result<SilenceList, AppError> {
    let open = app.connection()?;
    if !open.reader.silences(app.now()).await?.iter().any(|silence| silence.id == id) {
        let message = format!("There is no silence {id} in force that a person began.");
        return Err(AppError::new(ErrorKind::NotFound, message));
    }
    let by = crate::user::name().unwrap_or_default();
    open.writer().await?.end_silence(&id, app.now(), &by).await?;
    silences(app, &open.reader).await
}

async fn silences(app: &App, reader: &Reader) -> Result<SilenceList, AppError> {
    let now = app.now();
    let open = liftdeck_insight::silences(reader, now).await?;
    Ok(SilenceList { open, over: reader.past_silences(now).await? })
}

async fn states(reader: &Reader) -> Result<Vec<ChannelState>, AppError> {
    let waiting = reader.open_notifications().await?;
    let mut states = Vec::new();
    for channel in reader.channels().await? {
        let own = waiting.iter().filter(|one| one.channel == channel.name);
        let waiting = own.filter(|one| one.state == NotificationState::Waiting).count();
        let newest = reader.newest_notifications(&channel.name, NEWEST).await?;
        states.push(ChannelState { channel, newest, waiting: u32::try_from(waiting).unwrap_or(u32::MAX) });
    }
    Ok(states)
}
