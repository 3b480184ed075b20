//! Problems as text: a title, and the figures behind it.

use liftdeck_model::feed::QuarantineReason;
use liftdeck_model::observation::PollKind;

use super::change::with_short_ids;
use crate::overview::{FleetRoom, SetAside, Trouble};

/// Returns the title and the detail.
pub(crate) fn attention(trouble: &Trouble) -> (String, String) {
    match trouble {
        Trouble::Capped { fleet, desired, maximum, free_processes } => {
            let size = if desired == maximum {
                format!("desired = max = {maximum}")
            } else {
                format!("a location is at its maximum ({desired} of {maximum} instances in all)")
            };
            let free = match free_processes {
                0 => "no free process".to_owned(),
                1 => "1 free process".to_owned(),
                more => format!("{more} free processes"),
            };
            (format!("{fleet} is capped"), format!("{size} · {free}"))
        }
        Trouble::LittleRoom { room, free_processes, processes, full_locations, coming_instances } => {
            let percent = room.free_percent;
            let full: Vec<&str> = full_locations.iter().map(AsRef::as_ref).collect();
            let detail = [
                Some(format!("{free_processes} of {processes} processes free ({percent:.0} %)")),
                (!full.is_empty()).then(|| format!("none in {}", full.join(", "))),
                (*coming_instances > 0).then(|| format!("{coming_instances} more desired than active")),
            ];
            let detail = detail.into_iter().flatten().collect::<Vec<_>>().join(" · ");
            (format!("{} has little room", room.fleet), detail)
        }
        Trouble::FleetsWithLittleRoom { count, fullest } => {
            let named = |room: &FleetRoom| format!("{} {:.0} %", room.fleet, room.free_percent);
            let fullest = fullest.iter().map(named).collect::<Vec<_>>().join(", ");
            (format!("{count} fleets have little room"), format!("free processes: {fullest} …"))
        }
        Trouble::InError { fleet } => (
            format!("{fleet} is in ERROR"),
            "the fleet cannot host game sessions; its events say why".to_owned(),
        ),
        Trouble::Interrupted { fleet, count, instance_type } => {
            let instances = if *count == 1 { "instance" } else { "instances" };
            let instance_type = instance_type.as_ref().map(|kind| format!(" {kind}")).unwrap_or_default();
            (
                format!("Spot interruptions, {fleet}"),
                format!("{count} {instances}{instance_type} in the last 20 min"),
            )
        }
        Trouble::ProcessesFail { fleet, count, message } => {
            let last = message.as_deref().map(|said| format!(", the last: {}", with_short_ids(said)));
            (
                format!("Server processes of {fleet} fail"),
                format!("{count} in the last 20 min{}", last.unwrap_or_default()),
            )
        }
        Trouble::PlacementsFail { timed_out, failed, total } => {
            let share = (timed_out + failed) as f64 / *total as f64;
            (
                format!("{:.0} % of placements fail", share * 100.0),
                format!("{timed_out} timed out and {failed} failed of {total} in the last 15 min"),
            )
        }
        Trouble::EventsAside { queue, counts } => {
            let counts = counts.iter().map(aside).collect::<Vec<_>>().join(", ");
            (format!("Events from {queue} are not counted"), format!("set aside: {counts}"))
        }
        // For how long stands beside the title, as for any other problem.
        Trouble::Unread { poll, region, count, failure, .. } => {
            let more = if *count > 1 { format!(" ({count} of them)") } else { String::new() };
            (format!("No {} from {region}", read(*poll)), format!("{failure}{more}"))
        }
    }
}

fn aside(count: &SetAside) -> String {
    let what = match count.reason {
        QuarantineReason::Unconfirmed => "about a Region or resource that this connection does not know",
        _ => "unreadable",
    };
    format!("{} {what}", count.messages)
}

const fn read(poll: PollKind) -> &'static str {
    match poll {
        PollKind::Fleets => "fleet data",
        PollKind::FleetCapacity => "capacity data",
        PollKind::GameSessions => "game session data",
        PollKind::EventFeed => "events",
        _ => "data",
    }
}
