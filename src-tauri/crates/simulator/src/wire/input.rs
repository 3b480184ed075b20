//! How request bodies become typed inputs: the macro that declares an input once, member by member with its
//! constraint, and the problems a service reports when a member breaks it.
//!
//! Which error code a problem becomes is up to each service.

use std::fmt;

use super::Value;

/// The constraint on an input member, and the type the member is read as.
pub(crate) trait Constraint {
    /// The type of a member that satisfies the constraint.
    type Output;

    /// Reads a member, or records why it cannot be read.
    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<Self::Output>;
}

/// A structure that can be read from a request.
pub(crate) trait FromWire: Sized {
    /// Reads all members; records every problem before giving up.
    fn from_wire(value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<Self>;
}

/// The position of a value in the input.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path<'a> {
    /// The input itself.
    Root,
    /// A member of a structure.
    Member(&'a Path<'a>, &'a str),
    /// An item of a list, counted from 1 as AWS counts them.
    Item(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Member(parent, name) => {
                if !matches!(parent, Path::Root) {
                    write!(f, "{parent}.")?;
                }
                let mut letters = name.chars();
                let first = letters.next().map(|letter| letter.to_ascii_lowercase());
                write!(f, "{}{}", first.map(String::from).unwrap_or_default(), letters.as_str())
            }
            Path::Item(parent, number) => write!(f, "{parent}.{number}.member"),
        }
    }
}

/// One member that cannot be accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A required member is absent.
    Missing {
        /// The member's path.
        path: String,
    },
    /// A member has a different type than its shape.
    WrongType {
        /// The member's path.
        path: String,
        /// The type expected.
        expected: &'static str,
    },
    /// A member breaks its length, range, pattern or enumeration.
    Broken {
        /// The member's path.
        path: String,
        /// The value sent, where it may be repeated in the message.
        value: String,
        /// The constraint in words.
        constraint: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Missing { path } => {
                write!(f, "Value null at '{path}' failed to satisfy constraint: Member must not be null")
            }
            Problem::WrongType { path, expected } => write!(f, "Value at '{path}' is not a {expected}"),
            Problem::Broken { path, value, constraint } => {
                write!(
                    f,
                    "Value '{value}' at '{path}' failed to satisfy constraint: Member must {constraint}"
                )
            }
        }
    }
}

/// Everything wrong with one input.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Problems(pub(crate) Vec<Problem>);

impl Problems {
    /// Records a problem.
    pub(crate) fn add(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Records a broken constraint.
    pub(crate) fn broken(&mut self, path: &Path<'_>, value: impl fmt::Display, constraint: String) {
        self.add(Problem::Broken { path: path.to_string(), value: value.to_string(), constraint });
    }

    /// Records a value of another type than expected.
    pub(crate) fn wrong_type(&mut self, path: &Path<'_>, expected: &'static str) {
        self.add(Problem::WrongType { path: path.to_string(), expected });
    }

    /// Whether a value has the wrong type, which makes the whole body unreadable to the service.
    pub(crate) fn unreadable(&self) -> bool {
        self.0.iter().any(|problem| matches!(problem, Problem::WrongType { .. }))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.len();
        write!(f, "{count} validation error{} detected: ", if count == 1 { "" } else { "s" })?;
        for (at, problem) in self.0.iter().enumerate() {
            write!(f, "{}{problem}", if at == 0 { "" } else { "; " })?;
        }
        Ok(())
    }
}

/// Reads a whole input.
pub(crate) fn read_input<T: FromWire>(value: &Value) -> Result<T, Problems> {
    let mut problems = Problems::default();
    match T::from_wire(value, &Path::Root, &mut problems) {
        Some(input) if problems.0.is_empty() => Ok(input),
        _ => Err(problems),
    }
}

/// Reads the members of one structure for `input!`.
#[derive(Debug)]
pub(crate) struct Members<'a> {
    value: &'a Value,
    path: &'a Path<'a>,
    problems: &'a mut Problems,
}

impl<'a> Members<'a> {
    /// Returns the members of a value if it is a structure.
    pub(crate) fn of(
        value: &'a Value,
        path: &'a Path<'a>,
        problems: &'a mut Problems,
    ) -> Option<Members<'a>> {
        match value {
            Value::Map(_) => Some(Members { value, path, problems }),
            _ => {
                problems.wrong_type(path, "structure");
                None
            }
        }
    }

    /// Reads a required member.
    pub(crate) fn required<C: Constraint>(&mut self, name: &str, constraint: &C) -> Option<C::Output> {
        let path = Path::Member(self.path, name);
        match self.value.member(name) {
            Some(value) => constraint.read(value, &path, self.problems),
            None => {
                self.problems.add(Problem::Missing { path: path.to_string() });
                None
            }
        }
    }

    /// Reads an optional member.
    pub(crate) fn optional<C: Constraint>(
        &mut self,
        name: &str,
        constraint: &C,
    ) -> Option<Option<C::Output>> {
        match self.value.member(name) {
            Some(value) => constraint.read(value, &Path::Member(self.path, name), self.problems).map(Some),
            None => Some(None),
        }
    }
}

/// Declares an input: `input! { /// doc struct Name { field: Type = required("Member", CONSTRAINT), … } }`.
macro_rules! input {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($field:ident: $type:ty = $need:ident($member:literal, $constraint:expr)),* $(,)?
    })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone)]
        $vis struct $name { $($vis $field: $type,)* }

        impl $crate::wire::FromWire for $name {
            fn from_wire(
                value: &$crate::wire::Value,
                path: &$crate::wire::Path<'_>,
                problems: &mut $crate::wire::Problems,
            ) -> Option<Self> {
                let mut members = $crate::wire::Members::of(value, path, problems)?;
                $(let $field = members.$need($member, &$constraint);)*
                Some(Self { $($field: $field?,)* })
            }
        }
    )*};
}

pub(crate) use input;
