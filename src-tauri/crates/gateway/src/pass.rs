//! Supplies the credentials that sign an attempt: those that were approved for it, and no others.
//!
//! Owns the only credentials provider that the SDK clients have. A request that did not come through `call` finds no
//! credentials and is not sent. Credentials renewed in the meantime cannot sign what was allowed for the earlier
//! ones.

use std::future::Future;

use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, future};

tokio::task_local! {
    static OF_THIS_ATTEMPT: Credentials;
}

/// Runs one attempt, signed with these credentials.
pub(crate) fn signed_with<F: Future>(
    credentials: Credentials,
    attempt: F,
) -> impl Future<Output = F::Output> {
    OF_THIS_ATTEMPT.scope(credentials, attempt)
}

/// The credentials provider of the SDK clients.
#[derive(Debug)]
pub(crate) struct OfThisAttempt;

impl ProvideCredentials for OfThisAttempt {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        let given = OF_THIS_ATTEMPT.try_with(Clone::clone);
        future::ProvideCredentials::ready(
            given.map_err(|_| CredentialsError::not_loaded("this request was not permitted to be sent")),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn outside_an_attempt_there_is_nothing_to_sign_with() {
        assert!(OfThisAttempt.provide_credentials().await.is_err());
        let keys = Credentials::new("AKIDONE", "secret", None, None, "test");
        let found = signed_with(keys, async { OfThisAttempt.provide_credentials().await }).await;
        assert_eq!(found.unwrap().access_key_id(), "AKIDONE");
        assert!(OfThisAttempt.provide_credentials().await.is_err());
    }
}
