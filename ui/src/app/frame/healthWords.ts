/** Owns the words and shapes of the collector's states. */
import type { DotState } from '$kit/states';
import type { HealthState } from '$live/types';

export const wordOf: Record<HealthState, string> = {
  starting: 'starting',
  live: 'live',
  behind: 'behind',
  throttled: 'throttled',
  credentialsExpired: 'credentials expired',
  wrongAccount: 'wrong account',
  unproven: 'account not verified',
  denied: 'access denied',
  unreachable: 'unreachable',
  storeProblem: 'database problem',
  stopped: 'stopped',
};

export const dotOf: Record<HealthState, DotState> = {
  starting: 'pending',
  live: 'good',
  behind: 'warning',
  throttled: 'warning',
  credentialsExpired: 'bad',
  wrongAccount: 'bad',
  unproven: 'bad',
  denied: 'bad',
  unreachable: 'bad',
  storeProblem: 'bad',
  stopped: 'off',
};
