//! The form of every statement: a fact as a variant, its evidence as fields, and the sentence beside it.

/// Declares an enum of facts, each with its sentence. The sentence can use the evidence by name.
macro_rules! said {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($variant:ident $({ $($field:ident: $type:ty),+ $(,)? })? => $text:literal $(, $argument:expr)*;)+
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $(
                #[doc = $text]
                $variant $({ $(
                    #[doc = concat!("`", stringify!($field), "` of the sentence.")]
                    $field: $type,
                )+ })?,
            )+
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => write!(f, $text $(, $argument)*),)+
                }
            }
        }
    };
}

pub(super) use said;
