//! Evaluates an expression for a session.

use std::cmp::Ordering;

use super::grammar::{Comparator, Filter, Literal, Operand, Sort};
use liftdeck_simulated_world::SessionRef;

/// The value of an operand.
#[derive(Debug, Clone, PartialEq, PartialOrd)]
enum Found {
    Text(String),
    Number(f64),
    Bool(bool),
}

fn look(operand: &Operand, session: &SessionRef<'_>) -> Option<Found> {
    Some(match operand {
        Operand::Name => Found::Text(session.name()?),
        Operand::Id => Found::Text(session.arn()),
        Operand::Property(key) => {
            let properties = session.game_properties();
            Found::Text(properties.into_iter().find(|property| property.key == *key)?.value)
        }
        Operand::MaximumSessions => Found::Number(f64::from(session.maximum_player_session_count())),
        Operand::CreationTimeMillis => Found::Number(session.creation_time_ms() as f64),
        Operand::PlayerSessionCount => Found::Number(f64::from(session.current_player_session_count())),
        Operand::HasAvailablePlayerSessions => {
            Found::Bool(session.current_player_session_count() < session.maximum_player_session_count())
        }
    })
}

/// Whether a session matches a filter. A property the session does not have matches no comparison.
pub(super) fn fits(filter: &Filter, session: &SessionRef<'_>) -> bool {
    match filter {
        Filter::Not(inner) => !fits(inner, session),
        Filter::All(sides) => sides.iter().all(|side| fits(side, session)),
        Filter::Any(sides) => sides.iter().any(|side| fits(side, session)),
        Filter::Compare(operand, comparator, literal) => {
            look(operand, session).is_some_and(|found| compare(&found, *comparator, literal))
        }
    }
}

fn compare(found: &Found, comparator: Comparator, literal: &Literal) -> bool {
    let literal = match (found, literal) {
        (Found::Text(_), Literal::Number(number)) => Found::Text(number.to_string()),
        (Found::Text(_), Literal::Bool(value)) => Found::Text(value.to_string()),
        (_, Literal::Text(text)) => Found::Text(text.clone()),
        (_, Literal::Number(number)) => Found::Number(*number),
        (_, Literal::Bool(value)) => Found::Bool(*value),
    };
    let order = found.partial_cmp(&literal);
    match comparator {
        Comparator::Equal => order == Some(Ordering::Equal),
        Comparator::NotEqual => order != Some(Ordering::Equal),
        Comparator::Less => order == Some(Ordering::Less),
        Comparator::LessOrEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparator::Greater => order == Some(Ordering::Greater),
        Comparator::GreaterOrEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// Sorts sessions; those without the operand come last in either direction.
pub(super) fn order<'a, T>(sort: &Sort, items: &mut [T], session: impl Fn(&T) -> &SessionRef<'a>) {
    items.sort_by_cached_key(|item| Place {
        value: look(&sort.operand, session(item)),
        descending: sort.descending,
    });
}

/// A session's sort key.
struct Place {
    value: Option<Found>,
    descending: bool,
}

impl Ord for Place {
    fn cmp(&self, other: &Place) -> Ordering {
        match (&self.value, &other.value) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(one), Some(two)) => {
                let order = one.partial_cmp(two).unwrap_or(Ordering::Equal);
                if self.descending { order.reverse() } else { order }
            }
        }
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Place) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Place) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Place {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_with_text_as_text() {
        let season = Found::Text("7".to_owned());
        assert!(compare(&season, Comparator::Equal, &Literal::Number(7.0)));
        assert!(compare(&season, Comparator::NotEqual, &Literal::Text("07".to_owned())));
        assert!(compare(&Found::Number(7.0), Comparator::GreaterOrEqual, &Literal::Number(7.0)));
        assert!(!compare(&Found::Bool(false), Comparator::Equal, &Literal::Bool(true)));
    }

    #[test]
    fn sessions_without_the_operand_come_last_in_either_direction() {
        for descending in [false, true] {
            let place = |value: Option<f64>| Place { value: value.map(Found::Number), descending };
            let mut places = [place(None), place(Some(1.0)), place(Some(2.0))];
            places.sort();
            assert!(places[2].value.is_none(), "descending: {descending}");
        }
    }
}
