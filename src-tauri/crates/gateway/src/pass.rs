//! Which credentials sign an attempt: those the attempt was given leave with, and no others.
//!
//! Owns the only source of credentials the SDK clients know. A request that did not come through `ProvenWire::call` finds none
//! there and is not sent; nor can credentials that were renewed in between sign what was allowed for the earlier ones.

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

/// What the clients sign with.
#[derive(Debug)]
pub(crate) struct OfThisAttempt;

impl ProvideCredentials for OfThisAttempt {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        let given = OF_THIS_ATTEMPT.try_with(Clone::clone);
        future::ProvideCredentials::ready(
            given.map_err(|_| CredentialsError::not_loaded("this request was given no leave to be sent")),
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
