/** Owns turning whatever a command rejects with into an `AppError`. */
import type { AppError } from './types';

export function asAppError(thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown;
  return {
    kind: 'internal',
    message: thrown instanceof Error ? thrown.message : String(thrown),
    resource: null,
    awsCode: null,
    requestId: null,
    retryable: true,
    remedy: null,
    fields: [],
  };
}

function isAppError(thrown: unknown): thrown is AppError {
  return typeof thrown === 'object' && thrown !== null && 'kind' in thrown && 'message' in thrown;
}
