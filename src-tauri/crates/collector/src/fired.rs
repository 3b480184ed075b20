//! Tells the Regions' loops where an alert has begun to fire: what may be its cause is then read at once, and not only
//! when its turn comes. Deliberately knows nothing of rules and causes.

use std::collections::BTreeMap;
use std::sync::Arc;

use liftdeck_model::observation::Subject;
use liftdeck_model::{Region, Timestamp};
use liftdeck_store::{Notice, Reader as Store};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// When the last alert of each Region began to fire.
pub(crate) type Fired = Arc<BTreeMap<Region, Timestamp>>;

/// Follows the alerts in the store until stopped.
pub(crate) async fn follow(
    store: Store,
    mut notices: Receiver<Notice>,
    fired: watch::Sender<Fired>,
    stop: CancellationToken,
) {
    loop {
        let notice = tokio::select! {
            () = stop.cancelled() => return,
            notice = notices.recv() => notice,
        };
        match notice {
            Ok(notice) if !notice.subjects.contains(&Subject::Alerts) => continue,
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => return,
        }
        match store.last_fired().await {
            Ok(last) => {
                fired.send_if_modified(|known| {
                    let is_new = **known != last;
                    if is_new {
                        *known = Arc::new(last);
                    }
                    is_new
                });
            }
            Err(error) => tracing::warn!(%error, "The alerts could not be read."),
        }
    }
}
