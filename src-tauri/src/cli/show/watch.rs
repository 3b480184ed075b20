//! Repeats an answer: drawn over the previous one on a terminal, one after the other anywhere else.

use std::time::Duration;

use futures::FutureExt;

use super::table::Screen;
use super::{Args, Caller, Failure, Format, Outcome, Question, ReadCommand, written};

/// Answers until the person asks to stop. A failed read is reported and tried again, unless it is the first: another
/// Liftdeck may be starting.
pub(super) async fn watch<Q: Question + Args>(
    caller: &Caller,
    looking: &ReadCommand<Q>,
    seconds: u16,
) -> Result<Outcome, Failure> {
    let format = looking.form.format();
    let stop = caller.terminal.interrupted()?.shared();
    let mut is_first = true;
    loop {
        let screen = Screen::of(&caller.terminal);
        let answer = tokio::select! {
            answer = looking.asked(caller) => answer,
            () = stop.clone() => return Ok(Outcome::Done),
        };
        match answer {
            Ok((shown, now)) => {
                let text = written(&shown, format, &screen, now)?;
                let foot = shown.foot(now);
                let text = match screen.size {
                    Some((_, lines)) => over(&text, usize::from(lines).saturating_sub(foot.len() + 1)),
                    None => text,
                };
                caller.terminal.pass_on_painted(&text)?;
                // In data for programs, an age below every block would bury what matters.
                if screen.size.is_some() || format == Format::Table {
                    foot.iter().for_each(|line| caller.terminal.foot(line));
                }
            }
            Err(failure) if is_first => return Err(failure),
            Err(failure) => caller.terminal.say(&failure.to_string()),
        }
        is_first = false;
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(seconds.into())) => {}
            () = stop.clone() => return Ok(Outcome::Done),
        }
    }
}

/// Draws the text over the previous one: from the top, clearing the rest of each line and everything below. Lines
/// that do not fit are counted.
fn over(text: &str, room: usize) -> String {
    let mut out = String::from("\u{1b}[H");
    let all = text.lines().count();
    let shown = if all > room { room.saturating_sub(1) } else { all };
    for line in text.lines().take(shown) {
        out.push_str(line);
        out.push_str("\u{1b}[K\n");
    }
    if all > shown {
        out.push_str(&format!("… and {} more lines\u{1b}[K\n", all - shown));
    }
    out.push_str("\u{1b}[J");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_a_terminal_is_counted() {
        assert_eq!(over("a\nb\n", 5), "\u{1b}[Ha\u{1b}[K\nb\u{1b}[K\n\u{1b}[J");
        assert_eq!(over("a\nb\nc\n", 2), "\u{1b}[Ha\u{1b}[K\n… and 2 more lines\u{1b}[K\n\u{1b}[J");
    }
}
