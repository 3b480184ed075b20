//! `liftdeck connection edit`: changes a saved connection, which is checked like a new one.

use clap::Args;
use liftdeck_api::connection::{ConnectionDraft, ConnectionSummary};
use liftdeck_app::App;
use liftdeck_model::{Environment, Region};

use super::super::collect::{event_queue, region, web_address};
use super::super::operate::by_name;
use super::super::show::Form;
use super::super::{Caller, Failure, Outcome};
use super::{environments, save};

const MANUAL: &str = "\
What is not named stays as it is. Regions and event queues replace those there are. An empty profile or endpoint ('') takes \
it away. The database stays with the connection, and keeps the strictest environment it was ever opened with.

Example:
  liftdeck connection edit Live --region eu-west-1 us-east-1 ap-northeast-1";

/// What to change.
#[derive(Debug, Args)]
#[command(after_help = MANUAL)]
#[group(id = "changes", required = true, multiple = true, args = ["new_name", "environment", "regions", "profile", "endpoint_url", "event_queues"])]
pub(in crate::cli) struct Edit {
    #[command(flatten)]
    form: Form,
    /// Name
    #[arg(value_name = "NAME", add = super::super::complete::connections())]
    name: String,
    /// New name
    #[arg(long = "name", value_name = "NEW_NAME")]
    new_name: Option<String>,
    /// How careful to be; for production, names have to be typed to confirm
    #[arg(long, value_name = "ENVIRONMENT", value_parser = environments())]
    environment: Option<Environment>,
    /// Home Regions to read
    #[arg(long = "region", num_args = 1.., value_name = "REGION", value_parser = region)]
    regions: Vec<String>,
    /// Profile of the shared AWS configuration
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// An endpoint other than AWS's own
    #[arg(long, value_name = "URL", value_parser = web_address_or_none)]
    endpoint_url: Option<String>,
    /// Event queues of your own, as URL or REGION=URL
    #[arg(long = "event-queue", num_args = 1.., value_name = "URL")]
    event_queues: Vec<String>,
    /// Save it whatever the check says
    #[arg(long)]
    anyway: bool,
}

fn web_address_or_none(text: &str) -> Result<String, String> {
    if text.is_empty() { Ok(String::new()) } else { web_address(text) }
}

impl Edit {
    fn draft(&self, saved: &ConnectionSummary) -> Result<ConnectionDraft, Failure> {
        let mut draft = saved.described();
        draft.name = self.new_name.clone().unwrap_or(draft.name);
        draft.environment = self.environment.unwrap_or(draft.environment);
        draft.profile = self.profile.clone().or(draft.profile);
        draft.endpoint_url = self.endpoint_url.clone().or(draft.endpoint_url);
        if !self.regions.is_empty() {
            draft.regions = self.regions.iter().map(Region::new).collect();
        }
        if !self.event_queues.is_empty() {
            let regions: Vec<String> = draft.regions.iter().map(ToString::to_string).collect();
            let queues = self.event_queues.iter().map(|text| event_queue(text, &regions));
            draft.event_queues = queues.collect::<Result<_, _>>()?;
        }
        Ok(draft)
    }
}

/// Checks the connection as it would be, and saves it.
pub(super) async fn edit(caller: &Caller, app: &App, it: Edit) -> Result<Outcome, Failure> {
    let saved = by_name(&caller.connections()?, &it.name)?;
    let draft = it.draft(&saved)?;
    save(caller, app, &it.form, Some(&saved.id), &draft, it.anyway).await
}
