//! Decides whether two caller ARNs are the same principal.
//!
//! A user is identified by its ARN. An assumed role is identified by the role and its session name: IAM Identity
//! Center puts the person's name there, so another session is another person. Tools without a configured session name
//! generate one at each renewal, from a fixed word and the time. Two such names of one role are the same source of
//! credentials, renewed.

/// The words with which tools begin a generated session name: the Rust SDK (aws-config, `default_session_name`) and
/// botocore.
const MADE_UP: [&str; 5] = [
    "assume-role-from-profile",
    "assume-role-provider",
    "web-identity-token-profile",
    "web-identity-token",
    "botocore-session",
];

/// Whether both ARNs, as returned by `GetCallerIdentity`, are the same principal.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let (Some((role, session)), Some((other_role, other_session))) = (role(one), role(other)) else {
        return one == other;
    };
    role == other_role
        && (session == other_session
            || made_up(session).is_some_and(|word| made_up(other_session) == Some(word)))
}

/// Splits the ARN of an assumed role into account and role, and the session name.
fn role(arn: &str) -> Option<(&str, &str)> {
    arn.rsplit_once('/').filter(|(role, _)| role.contains(":assumed-role/"))
}

/// The fixed word at the start of a session name that a tool generated.
fn made_up(session: &str) -> Option<&str> {
    let (word, time) = session.rsplit_once('-')?;
    let is_time = !time.is_empty() && time.bytes().all(|byte| byte.is_ascii_digit());
    (is_time && MADE_UP.contains(&word)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROLE: &str = "arn:aws:sts::111122223333:assumed-role/Operator";

    #[test]
    fn a_session_of_a_role_is_one_principal_and_another_session_is_another() {
        assert!(same(&format!("{ROLE}/alice"), &format!("{ROLE}/alice")));
        assert!(!same(&format!("{ROLE}/alice"), &format!("{ROLE}/bob")));
        assert!(!same(&format!("{ROLE}/alice"), &format!("{ROLE}2/alice")));
        assert!(!same("arn:aws:iam::111122223333:user/a/x", "arn:aws:iam::111122223333:user/b/x"));
        assert!(same("arn:aws:iam::111122223333:user/a", "arn:aws:iam::111122223333:user/a"));
    }

    #[test]
    fn a_session_name_a_tool_makes_up_at_each_renewal_stays_the_same_principal() {
        let renewed = |word: &str, time: &str| format!("{ROLE}/{word}-{time}");
        for word in MADE_UP {
            assert!(same(&renewed(word, "1795203000000"), &renewed(word, "1795206600000")), "{word}");
        }
        assert!(!same(&renewed("botocore-session", "1"), &renewed("assume-role-provider", "1")));
        assert!(!same(&renewed("botocore-session", "1"), &renewed("botocore-session", "1x")));
        assert!(!same(&renewed("alice", "1"), &renewed("alice", "2")), "a name that ends in a number");
        assert!(!same(&renewed("botocore-session", "1"), &format!("{ROLE}/alice")));
    }
}
