//! `liftdeck open`: a link to a page, shown in the window that runs or in one of its own.

use std::ffi::OsString;

use clap::Args;
use liftdeck_model::link::{Link, SCHEME};

use super::{Caller, Failure, Outcome, in_runtime};
use crate::socket::door::{Followed, follow};
use crate::window::{self, Opening};

/// The link to open.
#[derive(Debug, Args)]
#[command(after_help = "\
A link names an AWS account, or a connection by its id, and a page as in the
window's own address: liftdeck://123456789012/alerts/5c2f… It only opens that
page. Messages about alerts carry one; `liftdeck LINK` does the same.")]
pub(super) struct Arguments {
    /// The link, such as liftdeck://live/fleets
    #[arg(value_name = "LINK")]
    link: Link,
}

/// Makes `liftdeck LINK`, as a desktop calls the program for a link, the same as `liftdeck open LINK`.
pub(super) fn as_a_command(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.collect();
    let is_link = |word: &OsString| {
        let text = word.to_string_lossy();
        text.split_once(':').is_some_and(|(scheme, _)| scheme.eq_ignore_ascii_case(SCHEME))
    };
    if words.get(1).is_some_and(is_link) {
        words.insert(1, "open".into());
    }
    words
}

pub(super) fn run(caller: &Caller, Arguments { link }: Arguments) -> Result<Outcome, Failure> {
    let home = caller.home()?;
    let door = home.window_door()?;
    let mut followed = Followed::Nobody;
    in_runtime(async {
        followed = follow(&door, &link).await;
        Ok(Outcome::Done)
    })?;
    match followed {
        Followed::Shown => Ok(Outcome::Done),
        Followed::Refused(error) => Err(error.into()),
        Followed::Nobody => {
            let connections = caller.connections()?.list();
            let connection = window::connection_of(&link, &connections)?;
            window::open(Opening::Page { connection, route: link.route() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(of: &[&str]) -> Vec<String> {
        let made = as_a_command(of.iter().map(|word| OsString::from(*word)));
        made.into_iter().map(|word| word.into_string().unwrap()).collect()
    }

    #[test]
    fn a_link_alone_is_opened_and_every_other_word_is_left_alone() {
        assert_eq!(
            words(&["liftdeck", "liftdeck://live/fleets"]),
            ["liftdeck", "open", "liftdeck://live/fleets"]
        );
        assert_eq!(words(&["liftdeck", "LIFTDECK:x"]), ["liftdeck", "open", "LIFTDECK:x"]);
        for same in
            [vec!["liftdeck"], vec!["liftdeck", "status"], vec!["liftdeck", "open", "liftdeck://live/fleets"]]
        {
            assert_eq!(words(&same), same);
        }
    }
}
