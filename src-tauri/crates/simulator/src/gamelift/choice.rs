//! Input members that take one of an enumeration's values, read as the value itself.

use std::fmt;

use crate::wire::{Constraint, Path, Problems, Text, Value};

/// Restricts an input member to the values of an enumeration.
pub(super) struct Choice<T: 'static> {
    all: &'static [T],
    name: fn(T) -> &'static str,
}

impl<T> Choice<T> {
    /// Accepts one of `all`, spelled as `name` returns it.
    pub(super) const fn new(all: &'static [T], name: fn(T) -> &'static str) -> Choice<T> {
        Choice { all, name }
    }
}

impl<T> fmt::Debug for Choice<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choice").field("values", &self.all.len()).finish()
    }
}

impl<T: Copy> Constraint for Choice<T> {
    type Output = T;

    fn read(&self, value: &Value, path: &Path<'_>, problems: &mut Problems) -> Option<T> {
        let text = Text::any().read(value, path, problems)?;
        let found = self.all.iter().copied().find(|choice| (self.name)(*choice) == text);
        if found.is_none() {
            let names: Vec<&str> = self.all.iter().map(|choice| (self.name)(*choice)).collect();
            problems.broken(path, text, format!("satisfy enum value set: [{}]", names.join(", ")));
        }
        found
    }
}
