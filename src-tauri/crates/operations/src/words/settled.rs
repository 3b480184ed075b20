//! What became of a change that nobody answered, as its record says it.

use super::said::said;
use super::trace::Trace;

said! {
    /// What became of a change that nobody answered.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Settled {
        CarriedOut { trace: Trace } => "No answer came, but it was carried out: {trace}";
        Seen { trace: Trace } =>
            "No answer came. Seen: {trace} AWS does not say whether this change did that or somebody else.";
        NotArrived { trace: Trace } =>
            "It did not arrive: {trace} It no longer can, and nothing was changed by it.";
        NotKnownYet { trace: Trace, minutes: u64 } =>
            "Not known yet: {trace} That tells nothing: a request that is held up on its way is still taken for {minutes} \
             minutes. Liftdeck looks again by itself.";
        NotKnownStill { trace: Trace } => "Still not known: {trace} Liftdeck looks again by itself.";
        NeverKnown { trace: Trace } => "Still not known: {trace}";
        LeftBehind =>
            "The program ended before the answer came, or failed over it: it may or may not have been carried out. It is not \
             sent again by itself; Liftdeck looks on AWS for what became of it.";
    }
}
