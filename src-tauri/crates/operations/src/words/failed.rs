//! Why a change failed.

use liftdeck_model::activity::Activity;

/// Why an attempt failed, with code and request id unless the message contains them.
pub(crate) fn failure(activity: &Activity) -> String {
    let message = activity.message.clone().unwrap_or_else(|| "The change failed.".to_owned());
    let code = activity.aws_code.as_deref().filter(|code| !message.contains(*code));
    let request = activity.request_id.as_deref().filter(|id| !message.contains(*id));
    let facts: Vec<String> =
        code.map(str::to_owned).into_iter().chain(request.map(|id| format!("request {id}"))).collect();
    if facts.is_empty() { message } else { format!("{message} ({})", facts.join(", ")) }
}
