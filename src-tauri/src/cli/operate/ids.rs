//! Ids as given on a command line.

use std::collections::BTreeSet;

use super::{Caller, Failure};

/// Returns the ids given, each once; `-` stands for ids from stdin, one per line.
pub(in crate::cli) fn several(caller: &Caller, given: &[String]) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    for id in given {
        if id == "-" {
            ids.extend(caller.terminal.lines()?);
        } else {
            ids.push(id.clone());
        }
    }
    if ids.is_empty() {
        return Err(Failure::usage("No id was given: standard input is empty."));
    }
    let mut seen = BTreeSet::new();
    ids.retain(|id| seen.insert(id.clone()));
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_named_twice_is_changed_once() {
        let ids = ["a", "b", "a"].map(str::to_owned);
        assert_eq!(several(&Caller::own(), &ids).unwrap(), ["a", "b"]);
    }
}
