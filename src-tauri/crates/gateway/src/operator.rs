//! The writing half of the gateway. Deliberately empty: it will exist only behind an operator's grant, and
//! nothing that changes a game is reachable before that.

/// Everything that changes something on AWS. Nobody outside this crate can make one.
#[derive(Debug)]
pub struct Operator {
    _granted: (),
}
