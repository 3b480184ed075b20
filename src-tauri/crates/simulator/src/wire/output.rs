//! How records become responses: a trait for everything that can be written, and the macro that declares a structure
//! once, member by member, for both encodings.

use super::Writer;

/// Something that a response can contain.
pub(crate) trait Wire {
    /// Writes the value.
    fn write(&self, writer: &mut Writer);

    /// Whether the value is left out of its structure.
    fn is_absent(&self) -> bool {
        false
    }
}

/// A time in milliseconds since the epoch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At(pub(crate) i64);

impl Wire for At {
    fn write(&self, writer: &mut Writer) {
        writer.time(self.0);
    }
}

/// A list that is left out when it is empty.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Filled<'a, T>(pub(crate) &'a [T]);

impl<T: Wire> Wire for Filled<'_, T> {
    fn write(&self, writer: &mut Writer) {
        self.0.write(writer);
    }

    fn is_absent(&self) -> bool {
        self.0.is_empty()
    }
}

/// A map given as ordered pairs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pairs<'a, T>(pub(crate) &'a [(String, T)]);

impl<T: Wire> Wire for Pairs<'_, T> {
    fn write(&self, writer: &mut Writer) {
        writer.open_map();
        for (name, value) in self.0 {
            writer.name(name);
            value.write(writer);
        }
        writer.close_map();
    }

    fn is_absent(&self) -> bool {
        self.0.is_empty()
    }
}

/// A structure without a type of its own, written by a closure that names its members.
pub(crate) struct Inline<F>(pub(crate) F);

impl<F: Fn(&mut Writer)> Wire for Inline<F> {
    fn write(&self, writer: &mut Writer) {
        writer.open_map();
        (self.0)(writer);
        writer.close_map();
    }
}

impl Wire for str {
    fn write(&self, writer: &mut Writer) {
        writer.text(self);
    }
}

impl Wire for String {
    fn write(&self, writer: &mut Writer) {
        writer.text(self);
    }
}

impl Wire for bool {
    fn write(&self, writer: &mut Writer) {
        writer.boolean(*self);
    }
}

impl Wire for f64 {
    fn write(&self, writer: &mut Writer) {
        writer.double(*self);
    }
}

impl Wire for f32 {
    fn write(&self, writer: &mut Writer) {
        writer.float(*self);
    }
}

impl Wire for u64 {
    fn write(&self, writer: &mut Writer) {
        writer.integer(i64::try_from(*self).unwrap_or(i64::MAX));
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => {
        $(impl Wire for $type {
            fn write(&self, writer: &mut Writer) {
                writer.integer(i64::from(*self));
            }
        })*
    };
}

whole_numbers!(i64, i32, u32, u16, u8);

impl<T: Wire + ?Sized> Wire for &T {
    fn write(&self, writer: &mut Writer) {
        (**self).write(writer);
    }

    fn is_absent(&self) -> bool {
        (**self).is_absent()
    }
}

impl<T: Wire> Wire for Option<T> {
    fn write(&self, writer: &mut Writer) {
        if let Some(value) = self {
            value.write(writer);
        }
    }

    fn is_absent(&self) -> bool {
        self.as_ref().is_none_or(Wire::is_absent)
    }
}

impl<T: Wire> Wire for [T] {
    fn write(&self, writer: &mut Writer) {
        writer.open_list(self.len());
        for item in self {
            writer.item();
            item.write(writer);
        }
        writer.close_list();
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn write(&self, writer: &mut Writer) {
        self.as_slice().write(writer);
    }
}

impl Writer {
    /// Writes a member whose name comes from the code, or nothing if its value is absent.
    pub(crate) fn member<T: Wire + ?Sized>(&mut self, name: &str, value: &T) {
        if !value.is_absent() {
            self.plain_name(name);
            value.write(self);
        }
    }
}

/// Declares how a type is written as a structure: `structure!(Type, record, { "Member" => expression, … })`.
macro_rules! structure {
    ($type:ty, $record:ident, { $($name:literal => $value:expr),* $(,)? }) => {
        impl $crate::wire::Wire for $type {
            fn write(&self, writer: &mut $crate::wire::Writer) {
                let $record = self;
                writer.open_map();
                $(writer.member($name, &$value);)*
                writer.close_map();
            }
        }
    };
}

/// Declares enumerations that are written as the text of `as_str`.
macro_rules! enumerations {
    ($($type:ty),* $(,)?) => {
        $(impl $crate::wire::Wire for $type {
            fn write(&self, writer: &mut $crate::wire::Writer) {
                writer.text(self.as_str());
            }
        })*
    };
}

/// A structure written in place: `in_place!({ "Member" => expression, … })`, with `move` to own what it names.
macro_rules! in_place {
    ({ $($name:literal => $value:expr),* $(,)? }) => {
        $crate::wire::Inline(|writer: &mut $crate::wire::Writer| { $(writer.member($name, &$value);)* })
    };
    (move { $($name:literal => $value:expr),* $(,)? }) => {
        $crate::wire::Inline(move |writer: &mut $crate::wire::Writer| { $(writer.member($name, &$value);)* })
    };
}

pub(crate) use {enumerations, in_place, structure};
