//! The grammar of filter and sort expressions.
//!
//! Precedence, from the strongest: comparison, parentheses, NOT, AND, OR. Only parses expressions; does not evaluate
//! them.

use std::fmt;

use winnow::Parser;
use winnow::ascii::{Caseless, float, multispace0};
use winnow::combinator::{alt, cut_err, delimited, eof, fail, not, preceded, repeat, separated, terminated};
use winnow::error::{ContextError, ErrMode, StrContext, StrContextValue};
use winnow::token::{any, none_of, one_of, take_while};

/// What an expression can refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Operand {
    /// `gameSessionName`.
    Name,
    /// `gameSessionId`, the full ARN.
    Id,
    /// `gameSessionProperties.<key>`; always text.
    Property(String),
    /// `maximumSessions`: the player slots.
    MaximumSessions,
    /// `creationTimeMillis`.
    CreationTimeMillis,
    /// `playerSessionCount`.
    PlayerSessionCount,
    /// `hasAvailablePlayerSessions`.
    HasAvailablePlayerSessions,
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Name => f.write_str("gameSessionName"),
            Operand::Id => f.write_str("gameSessionId"),
            Operand::Property(key) => write!(f, "gameSessionProperties.{key}"),
            Operand::MaximumSessions => f.write_str("maximumSessions"),
            Operand::CreationTimeMillis => f.write_str("creationTimeMillis"),
            Operand::PlayerSessionCount => f.write_str("playerSessionCount"),
            Operand::HasAvailablePlayerSessions => f.write_str("hasAvailablePlayerSessions"),
        }
    }
}

/// How an operand is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The value an operand is compared with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Text(String),
    Number(f64),
    Bool(bool),
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Text(text) => write!(f, "the string '{text}'"),
            Literal::Number(number) => write!(f, "the number {number}"),
            Literal::Bool(value) => write!(f, "{value}"),
        }
    }
}

/// A filter expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Filter {
    Compare(Operand, Comparator, Literal),
    Not(Box<Filter>),
    All(Vec<Filter>),
    Any(Vec<Filter>),
}

/// A sort expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sort {
    pub(super) operand: Operand,
    pub(super) descending: bool,
}

type Fallible<T> = Result<T, ErrMode<ContextError>>;

/// The deepest nesting accepted; an expression is at most 1024 characters.
const MAX_DEPTH: usize = 64;

/// Parses a filter expression; the error says where parsing failed.
pub(super) fn filter(text: &str) -> Result<Filter, String> {
    let whole = terminated(|input: &mut &str| any_of(input, 0), (multispace0, eof));
    let parsed = { whole }.parse(text).map_err(|error| error.to_string())?;
    check(&parsed)?;
    Ok(parsed)
}

/// Parses a sort expression.
pub(super) fn sort(text: &str) -> Result<Sort, String> {
    let direction =
        alt((keyword("ASC").value(false), keyword("DESC").value(true))).context(expected("ASC or DESC"));
    let whole = (operand, direction, multispace0, eof);
    let (operand, descending, _, _) = { whole }.parse(text).map_err(|error| error.to_string())?;
    Ok(Sort { operand, descending })
}

fn expected(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

fn any_of(input: &mut &str, depth: usize) -> Fallible<Filter> {
    let mut sides: Vec<Filter> =
        separated(1.., |input: &mut &str| all_of(input, depth), keyword("OR")).parse_next(input)?;
    Ok(if sides.len() == 1 { sides.remove(0) } else { Filter::Any(sides) })
}

fn all_of(input: &mut &str, depth: usize) -> Fallible<Filter> {
    let mut sides: Vec<Filter> =
        separated(1.., |input: &mut &str| negation(input, depth), keyword("AND")).parse_next(input)?;
    Ok(if sides.len() == 1 { sides.remove(0) } else { Filter::All(sides) })
}

fn negation(input: &mut &str, depth: usize) -> Fallible<Filter> {
    if depth > MAX_DEPTH {
        return fail.context(expected("an expression nested less deeply")).parse_next(input);
    }
    let nested = |input: &mut &str| any_of(input, depth + 1);
    alt((
        preceded(keyword("NOT"), cut_err(|input: &mut &str| negation(input, depth + 1)))
            .map(|inner| Filter::Not(Box::new(inner))),
        delimited((multispace0, '('), cut_err(nested), cut_err((multispace0, ')').context(expected(")")))),
        comparison,
    ))
    .parse_next(input)
}

fn comparison(input: &mut &str) -> Fallible<Filter> {
    (operand, cut_err(comparator), cut_err(literal))
        .map(|(operand, comparator, literal)| Filter::Compare(operand, comparator, literal))
        .parse_next(input)
}

fn operand(input: &mut &str) -> Fallible<Operand> {
    preceded(
        multispace0,
        alt((
            preceded("gameSessionProperties.", cut_err(key)).map(Operand::Property),
            word("gameSessionName").value(Operand::Name),
            word("gameSessionId").value(Operand::Id),
            word("maximumSessions").value(Operand::MaximumSessions),
            word("creationTimeMillis").value(Operand::CreationTimeMillis),
            word("playerSessionCount").value(Operand::PlayerSessionCount),
            word("hasAvailablePlayerSessions").value(Operand::HasAvailablePlayerSessions),
        )),
    )
    .context(expected("a search operand"))
    .parse_next(input)
}

fn comparator(input: &mut &str) -> Fallible<Comparator> {
    preceded(
        multispace0,
        alt((
            "<>".value(Comparator::NotEqual),
            "<=".value(Comparator::LessOrEqual),
            ">=".value(Comparator::GreaterOrEqual),
            "<".value(Comparator::Less),
            ">".value(Comparator::Greater),
            "=".value(Comparator::Equal),
        )),
    )
    .context(expected("=, <>, <, >, <= or >="))
    .parse_next(input)
}

fn literal(input: &mut &str) -> Fallible<Literal> {
    preceded(
        multispace0,
        alt((
            quoted('\'').map(Literal::Text),
            quoted('"').map(Literal::Text),
            word("true").value(Literal::Bool(true)),
            word("false").value(Literal::Bool(false)),
            // The float parser also accepts words such as `nan`, which are not numbers here.
            terminated(float, not(letter)).verify(|number: &f64| number.is_finite()).map(Literal::Number),
        )),
    )
    .context(expected("a number, true, false or a quoted string"))
    .parse_next(input)
}

/// A property key: anything up to white space, a comparator or a dot, because keys with dots cannot be searched.
fn key(input: &mut &str) -> Fallible<String> {
    terminated(
        take_while(1.., |letter: char| !letter.is_whitespace() && !"=<>.()".contains(letter)),
        not('.'),
    )
    .context(expected("a property key without a dot"))
    .map(str::to_owned)
    .parse_next(input)
}

/// Quoted text, with a backslash before special characters.
fn quoted<'a>(quote: char) -> impl Parser<&'a str, String, ErrMode<ContextError>> {
    let escaped = preceded('\\', any);
    let inner = repeat(0.., alt((escaped, none_of([quote, '\\'])))).fold(String::new, |mut text, letter| {
        text.push(letter);
        text
    });
    delimited(quote, inner, quote)
}

fn letter(input: &mut &str) -> Fallible<char> {
    one_of(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.').parse_next(input)
}

/// A word of the grammar that is not the beginning of a longer word.
fn word<'a>(text: &'static str) -> impl Parser<&'a str, &'a str, ErrMode<ContextError>> {
    terminated(text, not(letter))
}

/// A logical keyword, in upper or lower case.
fn keyword<'a>(text: &'static str) -> impl Parser<&'a str, &'a str, ErrMode<ContextError>> {
    delimited(multispace0, Caseless(text), not(letter))
}

/// Checks the types of comparisons: strings and booleans only with `=` and `<>`, each operand with its own type.
fn check(filter: &Filter) -> Result<(), String> {
    match filter {
        Filter::Not(inner) => check(inner),
        Filter::All(sides) | Filter::Any(sides) => sides.iter().try_for_each(check),
        Filter::Compare(operand, comparator, literal) => {
            let fits = match operand {
                Operand::Name | Operand::Id => matches!(literal, Literal::Text(_)),
                // Property values are compared as strings, however they are written.
                Operand::Property(_) => true,
                Operand::HasAvailablePlayerSessions => matches!(literal, Literal::Bool(_)),
                _ => matches!(literal, Literal::Number(_)),
            };
            let ordered = !matches!(comparator, Comparator::Equal | Comparator::NotEqual);
            let number = matches!(literal, Literal::Number(_)) && !matches!(operand, Operand::Property(_));
            if !fits {
                Err(format!("{operand} cannot be compared with {literal}"))
            } else if ordered && !number {
                Err("strings and booleans can be compared with = and <> only".to_owned())
            } else {
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn players(comparator: Comparator, number: f64) -> Filter {
        Filter::Compare(Operand::PlayerSessionCount, comparator, Literal::Number(number))
    }

    #[test]
    fn and_binds_stronger_than_or_and_not_stronger_than_both() {
        let parsed =
            filter("playerSessionCount=1 OR NOT playerSessionCount>2 AND playerSessionCount<>3").unwrap();
        let not = Filter::Not(Box::new(players(Comparator::Greater, 2.0)));
        let both = Filter::All(vec![not, players(Comparator::NotEqual, 3.0)]);
        assert_eq!(parsed, Filter::Any(vec![players(Comparator::Equal, 1.0), both]));
    }

    #[test]
    fn strings_are_quoted_and_escaped() {
        let parsed = filter(r"gameSessionName = 'lobby \'eu\''").unwrap();
        let name = Literal::Text("lobby 'eu'".to_owned());
        assert_eq!(parsed, Filter::Compare(Operand::Name, Comparator::Equal, name));
        let property = filter("gameSessionProperties.mode = \"ranked\"").unwrap();
        let ranked = Literal::Text("ranked".to_owned());
        assert_eq!(
            property,
            Filter::Compare(Operand::Property("mode".to_owned()), Comparator::Equal, ranked)
        );
    }

    #[test]
    fn the_documented_examples_are_expressions() {
        for text in [
            "hasAvailablePlayerSessions=true AND maximumSessions>=8",
            r"NOT (playerSessionCount=0 OR gameSessionName='lobby \'eu\'')",
            "gameSessionProperties.mode = 'ranked'",
            "creationTimeMillis>1469498468057 and ( maximumSessions < 5 )",
        ] {
            assert!(filter(text).is_ok(), "{text}: {:?}", filter(text));
        }
        let sorted = Sort { operand: Operand::CreationTimeMillis, descending: true };
        assert_eq!(sort("creationTimeMillis DESC"), Ok(sorted));
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for text in [
            "",
            "playerSessionCount",
            "playerSessionCount = ",
            "playerSessionCount = 'two'",
            "gameSessionName > 'a'",
            "hasAvailablePlayerSessions <> 1",
            "gameSessionProperties.a.b = 'x'",
            "(playerSessionCount = 1",
            "playerSessionCount = 1)",
            "players = 1",
            "playerSessionCount = 1 AND",
            "gameSessionName = 'open",
            "playerSessionCount < inf",
            "playerSessionCount = nan",
            "maximumSessions < 1e999",
            "gameSessionProperties.season > 5",
        ] {
            assert!(filter(text).is_err(), "{text}");
        }
        assert!(filter(&format!("{}playerSessionCount=1", "NOT ".repeat(200))).is_err());
        for text in ["creationTimeMillis", "ASC", "creationTimeMillis UP", "creationTimeMillis ASC, x DESC"] {
            assert!(sort(text).is_err(), "{text}");
        }
    }
}
