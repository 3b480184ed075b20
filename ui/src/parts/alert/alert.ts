/** Owns the words of an alert that the core leaves to the screen: its state, what was counted, how long before. */
import { duration } from '$lib/time';
import type { Alert, Strength } from '$live/types';

/** Three bars, filled by how strongly the facts speak for a cause. */
export function strengthBars(strength: Strength): readonly [boolean, boolean, boolean] {
  return [true, strength !== 'weak', strength === 'strong'];
}

/** What the figures of an alert count. */
export function hitNoun({ facts }: Pick<Alert, 'facts'>): string {
  switch (facts?.trouble.kind) {
    case 'sessionsCrash':
    case 'activationsTimeOut':
    case 'sessionsStartSlowly':
    case 'sessionsStayEmpty':
    case 'sessionsRunLong':
    case 'sessionsStuck':
    case 'sessionsDoNotFill':
    case 'custom':
      return 'game sessions';
    case 'placementsFail':
    case 'placementsWait':
    case 'noDestination':
      return 'placements';
    case 'ticketsFail':
    case 'ticketsWait':
      return 'tickets';
    case 'reservationsUnused':
      return 'reservations';
    case 'throttled':
      return 'calls';
    case 'interrupted':
    case 'instanceLimit':
      return 'instances';
    default:
      return 'server processes';
  }
}

/** Nothing for an alert that fires: that is what is expected of one, unless it is shown with the past. */
export function stateText(
  { state, unknownSince }: Pick<Alert, 'state' | 'unknownSince'>,
  past = false,
): string {
  if (unknownSince !== null && state !== 'resolved') return 'unknown since';
  switch (state) {
    case 'firing':
      return past ? 'still fires' : '';
    case 'pending':
      return 'not yet an alert';
    case 'recovering':
      return 'recovering';
    case 'resolved':
      return 'over';
  }
}

/** Keys of the recorded changes that are a likely cause of an alert. */
export function causeKeys(alerts: readonly Pick<Alert, 'facts'>[]): ReadonlySet<string> {
  const causes = alerts.flatMap(({ facts }) => facts?.causes ?? []);
  return new Set(causes.flatMap(({ cause }) => (cause.kind === 'changed' ? [cause.change.key] : [])));
}

/** ", 95 s before"; nothing when the time was first seen afterwards or is not known. */
export function leadText(leadMs: number | null): string {
  return leadMs === null || leadMs < 1_000 ? '' : `, ${duration(leadMs)} before`;
}
