//! The only crate that sees the AWS SDKs: clients, request budget, retry, error translation.
