//! What the policies of a user or role say about an action.

use super::glob;

/// The decision about an action, under the names of IAM's `EvalDecision`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// A policy allows it.
    Allowed,
    /// No policy allows it.
    ImplicitDeny,
    /// A policy denies it.
    ExplicitDeny,
}

impl Decision {
    /// Decides about an action by the actions that are refused.
    pub(crate) fn about(action: &str, denied: &[String]) -> Decision {
        let mut implicit = false;
        for refused in denied {
            match refused.strip_prefix('!') {
                Some(pattern) if glob(pattern, action) => return Decision::ExplicitDeny,
                None => implicit |= glob(refused, action),
                Some(_) => {}
            }
        }
        if implicit { Decision::ImplicitDeny } else { Decision::Allowed }
    }

    /// The name of the decision in IAM.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Decision::Allowed => "allowed",
            Decision::ImplicitDeny => "implicitDeny",
            Decision::ExplicitDeny => "explicitDeny",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_policy_denies_is_told_from_what_none_allows() {
        let denied = ["gamelift:Update*".to_owned(), "!gamelift:Delete*".to_owned(), "*Alias".to_owned()];
        let about = |action| Decision::about(action, &denied);
        assert_eq!(about("gamelift:UpdateFleetCapacity"), Decision::ImplicitDeny);
        assert_eq!(about("gamelift:DeleteAlias"), Decision::ExplicitDeny);
        assert_eq!(about("gamelift:ListFleets"), Decision::Allowed);
    }
}
