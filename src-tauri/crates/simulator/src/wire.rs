//! The two payload encodings of the AWS protocols used here (CBOR and JSON) behind one tree for inputs and one writer
//! for outputs, and the constraints on input members.
//!
//! Knows nothing about HTTP, operations or records.

mod constraint;
mod input;
mod output;
mod read;
mod value;
mod write;

pub(crate) use constraint::{Blob, Bool, Double, Integer, Items, Map, Nested, Text, Time};
pub(crate) use input::{Constraint, FromWire, Members, Path, Problem, Problems, read_input};
pub(crate) use output::{At, Filled, Inline, Pairs, Wire};
pub(crate) use read::{read_cbor, read_json};
pub(crate) use value::Value;
pub(crate) use write::Writer;

pub(crate) use input::input;
pub(crate) use output::{enumerations, in_place, structure};
