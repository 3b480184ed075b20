//! The search of the command palette.

use crate::app::App;
use liftdeck_api::error::AppError;
use liftdeck_store::reader::find::Found;

pub(crate) async fn goto(app: &App, text: String) -> Result<Vec<Found>, AppError> {
    Ok(app.connection()?.reader.find(&text, app.now()).await?)
}
