//! What became of an unanswered change, as its record states it.

use super::said::said;
use super::trace::Trace;

said! {
    /// What became of an unanswered change.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Settled {
        CarriedOut { trace: Trace } => "No answer came, but it was carried out: {trace}";
        Seen { trace: Trace } =>
            "No answer came. Seen: {trace} AWS does not say whether this change or someone else did that.";
        NotArrived { trace: Trace } =>
            "It did not arrive: {trace} It can no longer arrive, and it changed nothing.";
        NotKnownYet { trace: Trace, minutes: u64 } =>
            "Not known yet: {trace} That proves nothing: AWS may still take a delayed request for {minutes} minutes. \
             Liftdeck checks again by itself.";
        NotKnownStill { trace: Trace } => "Still not known: {trace} Liftdeck checks again by itself.";
        NeverKnown { trace: Trace } => "Still not known: {trace}";
        LeftBehind =>
            "The program ended or failed before the answer came: it may or may not have been carried out. Liftdeck \
             does not send it again; it checks on AWS what became of it.";
    }
}
