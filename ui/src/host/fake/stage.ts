/**
 * Owns the switches of the invented world, read from the page's query: `?fake=` one or more of error, empty, loading,
 * stale, first, throttled, expired, down (a task of the collector is not running), hostile (every text is a payload of the page's own), still; and of changes: operator (unlocked), demo (nothing to type), moved, refused,
 * unknown, held (a bulk run waits at half and at three quarters until it is resumed, a drain at half, so that there is
 * time to pause them however slow the machine); and of GameLift's own search: refusedSearch, brokenSearch;
 * and of event queues: unadopted (one nobody adopted, and one with troubles), unheard (that one alone), brokenLook (comma separated).
 */
import type { AppError, Freshness, HealthState } from '$host/bindings.gen';
import { anchorMs } from './load';

export type Stage = {
  is: (name: string) => boolean;
  now: () => number;
  freshness: () => Freshness;
  health: HealthState;
  /** Answers like the border does: later, never, or with a refusal. */
  answer: <T>(make: () => T) => Promise<T>;
};

export const denied: AppError = {
  kind: 'denied',
  message: 'The caller may not perform gamelift:ListFleets in eu-west-1.',
  resource: 'arn:aws:gamelift:eu-west-1:111122223333:fleet/*',
  awsCode: 'AccessDeniedException',
  requestId: '0c9b0a4e-7f1d-4a55-b1c6-9d6f0f3a2e77',
  retryable: false,
  remedy: 'Add gamelift:ListFleets to the role of profile arena-prod, then retry.',
  fields: [],
};

export function readStage(search: string): Stage {
  const names = (new URLSearchParams(search).get('fake') ?? '').split(',');
  const is = (name: string) => names.includes(name);
  const loadedMs = performance.now();
  const now = () => (is('still') ? anchorMs : anchorMs + Math.round(performance.now() - loadedMs));
  const late = is('stale');
  return {
    is,
    now,
    freshness: () => ({ asOfMs: late ? anchorMs - 14 * 60_000 : now() - 4_000, stale: late }),
    health: late
      ? 'unreachable'
      : is('throttled')
        ? 'throttled'
        : is('expired')
          ? 'credentialsExpired'
          : 'live',
    answer: (make) => {
      if (is('loading')) return new Promise(() => undefined);
      return new Promise((resolve, reject) =>
        setTimeout(() => {
          if (is('error')) {
            reject(denied);
            return;
          }
          try {
            resolve(make());
          } catch (thrown) {
            reject(thrown);
          }
        }, 12),
      );
    },
  };
}
