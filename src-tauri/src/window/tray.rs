//! The tray: how many alerts there are and whether everything is known, seen while the window is not.
//!
//! Owns what it says and its menu. Where the desktop has no place for it, nothing is missing: the window's title and
//! its screens say the same.

use std::sync::Arc;
use std::time::Duration;

use liftdeck_api::{Answer, Call};
use liftdeck_app::{App, Hint, Hints};
use liftdeck_desktop::has_tray;
use liftdeck_insight::AlertList;
use liftdeck_model::observation::Subject;
use liftdeck_model::severity::Severity;
use liftdeck_model::visible::visible;
use tauri::image::Image;
use tauri::menu::{Menu, MenuBuilder, MenuItem, MenuItemBuilder, PredefinedMenuItem};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Manager, Wry, include_image};

use super::place::{self, Place};

const CALM: Image<'_> = include_image!("../icons/tray/calm.png");
const ALERT: Image<'_> = include_image!("../icons/tray/alert.png");
const UNKNOWN: Image<'_> = include_image!("../icons/tray/unknown.png");

/// How often it is looked for a place, on desktops that have none yet.
const AGAIN: Duration = Duration::from_secs(30);
/// How often it is looked at what is known: that nothing comes is told by nobody.
const PULSE: Duration = Duration::from_secs(10);
/// Most alerts in the menu.
const LISTED: usize = 5;
/// Most characters of one.
const LINE: usize = 80;

const OPEN: &str = "open";
const QUIT: &str = "quit";

/// What the tray shows.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Face {
    sign: Sign,
    /// One line: the tooltip, and the head of the menu.
    text: String,
    /// Pages, and what each is called.
    pages: Vec<(String, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    Calm,
    Alert,
    Unknown,
}

impl Face {
    /// Before anything is known, and while no connection is open.
    fn blank() -> Self {
        Self { sign: Sign::Unknown, text: "Liftdeck: no connection is open".to_owned(), pages: Vec::new() }
    }

    fn of(name: &str, list: &AlertList) -> Self {
        let open: Vec<_> = list.alerts.iter().filter(|alert| alert.ended_at.is_none()).collect();
        let count = match open.len() {
            0 => "no alerts".to_owned(),
            1 => "1 alert".to_owned(),
            many => format!("{many} alerts"),
        };
        let is_complete = list.knowledge.is_complete;
        let (sign, said) = match (open.is_empty(), is_complete) {
            // Only what is known in full is called well.
            (true, true) => (Sign::Calm, count),
            (true, false) => (Sign::Unknown, "not everything is known".to_owned()),
            (false, true) => (Sign::Alert, count),
            (false, false) => (Sign::Alert, format!("{count}, and not everything is known")),
        };
        let mut pages: Vec<(String, String)> = open
            .iter()
            .take(LISTED)
            .map(|alert| {
                let label = if alert.severity == Severity::Bad { "Bad" } else { "Warning" };
                (format!("#/alerts/{}", alert.id), line(&format!("{label}: {}", alert.title)))
            })
            .collect();
        if open.len() > LISTED {
            pages.push(("#/alerts".to_owned(), format!("All {} alerts", open.len())));
        }
        Self { sign, text: line(&format!("{name}: {said}")), pages }
    }

    const fn icon(&self) -> Image<'static> {
        match self.sign {
            Sign::Calm => CALM,
            Sign::Alert => ALERT,
            Sign::Unknown => UNKNOWN,
        }
    }
}

fn line(text: &str) -> String {
    let text = visible(text);
    if text.chars().count() <= LINE {
        return text.into_owned();
    }
    let mut short: String = text.chars().take(LINE - 1).collect();
    short.push('…');
    short
}

/// In a menu, `&` marks the key of an item.
fn item_text(text: &str) -> String {
    text.replace('&', "&&")
}

/// Shows the tray as soon as the desktop has a place for it, until the program ends.
pub(super) async fn keep(app: AppHandle) {
    while !has_tray().await {
        tokio::time::sleep(AGAIN).await;
    }
    let mut hints = app.state::<Arc<App>>().hints();
    let mut shown: Option<Face> = None;
    loop {
        let face = look(&app).await;
        if shown.as_ref() != Some(&face) {
            let (on, now, is_first) = (app.clone(), face.clone(), shown.is_none());
            let put = app.run_on_main_thread(move || {
                let put = if is_first { make(&on, &now) } else { change(&on, &now) };
                if let Err(error) = put {
                    tracing::warn!(%error, "The tray icon could not be shown.");
                }
            });
            if put.is_err() {
                return;
            }
            shown = Some(face);
        }
        if tokio::time::timeout(PULSE, moved(&mut hints)).await == Ok(None) {
            return;
        }
    }
}

/// Waits until something moved that the tray shows; `None` when the program ends.
async fn moved(hints: &mut Hints) -> Option<()> {
    loop {
        if let Hint::Changed(changed) = hints.next().await?
            && changed.subjects.iter().any(|one| matches!(one, Subject::Alerts | Subject::Settings))
        {
            return Some(());
        }
    }
}

async fn look(app: &AppHandle) -> Face {
    let core = app.state::<Arc<App>>();
    let (now, state) = (core.now().as_ms(), core.app_state());
    let Some(current) = state.current else { return Face::blank() };
    // What is open is in the list of any range.
    let arguments = serde_json::json!({ "range": { "from": now, "to": now + 1 } });
    let asked = core.ask(Call { name: "alert_list".to_owned(), arguments });
    let list = match Box::pin(asked).await {
        Ok(Answer::Json(text)) => serde_json::from_str::<AlertList>(&text).ok(),
        _ => None,
    };
    match list {
        Some(list) => Face::of(&current.name, &list),
        None => Face {
            sign: Sign::Unknown,
            text: line(&format!("{}: not everything is known", current.name)),
            pages: Vec::new(),
        },
    }
}

const ID: &str = "main";

/// Makes the icon. On the main thread.
fn make(app: &AppHandle, face: &Face) -> tauri::Result<()> {
    let menu = MenuBuilder::new(app).build()?;
    fill(app, &menu, face)?;
    let tray: TrayIcon<Wry> = TrayIconBuilder::with_id(ID)
        .icon(face.icon())
        .tooltip(&face.text)
        .menu(&menu)
        .on_menu_event(|app, event| match event.id().as_ref() {
            OPEN => place::show(app),
            QUIT => app.exit(0),
            page if page.starts_with("#/") => place::go(app, Place::here(page.to_owned())),
            // An item of another menu, such as the one that a Mac has at the top of its screen.
            _ => {}
        })
        .build(app)?;
    // The icon lives in the program's own list under its id; the menu is changed in place, because Linux keeps the
    // first one it was given.
    app.manage(TrayMenu(menu));
    drop(tray);
    Ok(())
}

/// The menu of the icon.
struct TrayMenu(Menu<Wry>);

/// Changes what the icon says. On the main thread.
fn change(app: &AppHandle, face: &Face) -> tauri::Result<()> {
    let Some(tray) = app.tray_by_id(ID) else { return Ok(()) };
    tray.set_icon(Some(face.icon()))?;
    tray.set_tooltip(Some(&face.text))?;
    fill(app, &app.state::<TrayMenu>().0, face)
}

fn fill(app: &AppHandle, menu: &Menu<Wry>, face: &Face) -> tauri::Result<()> {
    while menu.remove_at(0)?.is_some() {}
    let item = |id: &str, text: &str| -> tauri::Result<MenuItem<Wry>> {
        MenuItemBuilder::with_id(id, item_text(text)).build(app)
    };
    menu.append(&MenuItemBuilder::new(item_text(&face.text)).enabled(false).build(app)?)?;
    menu.append(&PredefinedMenuItem::separator(app)?)?;
    for (page, text) in &face.pages {
        menu.append(&item(page, text)?)?;
    }
    if !face.pages.is_empty() {
        menu.append(&PredefinedMenuItem::separator(app)?)?;
    }
    menu.append(&item(OPEN, "Open Liftdeck")?)?;
    menu.append(&item(QUIT, "Quit")?)
}

#[cfg(test)]
mod tests {
    use liftdeck_insight::Alert;
    use liftdeck_insight::knowledge::Knowledge;
    use liftdeck_model::Timestamp;
    use liftdeck_model::alert::{AlertRecord, AlertState};

    use super::*;

    const NOW: Timestamp = Timestamp::from_ms(1_772_618_400_000);

    fn alert(id: &str) -> Alert {
        Alert::of(AlertRecord {
            id: id.into(),
            rule: "capped".to_owned(),
            subject: id.to_owned(),
            region: None,
            fleet_id: None,
            severity: Severity::Bad,
            state: AlertState::Firing,
            since: NOW,
            seen_at: NOW,
            fired_at: Some(NOW),
            clear_since: None,
            unknown_since: None,
            ended_at: None,
            acknowledged: None,
            document: String::new(),
        })
    }

    fn face(alerts: Vec<Alert>, is_complete: bool) -> Face {
        let knowledge = Knowledge { is_complete, ..Knowledge::default() };
        Face::of("Live", &AlertList { seen: Vec::new(), alerts, knowledge })
    }

    #[test]
    fn only_what_is_known_in_full_is_called_calm() {
        let calm = face(Vec::new(), true);
        assert_eq!((calm.sign, calm.text.as_str()), (Sign::Calm, "Live: no alerts"));
        let unknown = face(Vec::new(), false);
        assert_eq!((unknown.sign, unknown.text.as_str()), (Sign::Unknown, "Live: not everything is known"));
        assert_eq!(Face::blank().sign, Sign::Unknown);
    }

    #[test]
    fn what_is_open_is_counted_and_the_most_urgent_lead_to_their_pages() {
        let over = Alert { ended_at: Some(NOW), ..alert("over") };
        let one = face(vec![alert("a"), over.clone()], true);
        assert_eq!((one.sign, one.text.as_str()), (Sign::Alert, "Live: 1 alert"));
        assert_eq!(one.pages.len(), 1);
        assert_eq!(one.pages[0].0, "#/alerts/a");
        let all = face((0..7).map(|at| alert(&at.to_string())).collect(), false);
        assert_eq!(all.text, "Live: 7 alerts, and not everything is known");
        assert_eq!(all.pages.len(), LISTED + 1);
        assert_eq!(all.pages[LISTED], ("#/alerts".to_owned(), "All 7 alerts".to_owned()));
    }

    #[test]
    fn a_name_marks_no_key_and_hides_no_characters() {
        assert_eq!(item_text("cats & dogs"), "cats && dogs");
        let face = Face::of(
            "a\u{202e}b",
            &AlertList { seen: Vec::new(), alerts: Vec::new(), knowledge: Knowledge::default() },
        );
        assert_eq!(face.text, "a⟨U+202E⟩b: not everything is known");
    }
}
