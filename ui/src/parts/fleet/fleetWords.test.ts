import { expect, it } from 'vitest';
import { atLeast, sumOf } from '$lib/numbers';
import type { FleetRow } from '$live/types';
import { certificateTag, fleetSums } from './fleetWords';

const row = (active: number | null, gameSessions: number | null, patch: Partial<FleetRow> = {}) =>
  ({
    active,
    gameSessions,
    playerSessions: gameSessions,
    kind: 'ec2_spot',
    state: 'good',
    ...patch,
  }) as FleetRow;

it('a sum of which a part is unknown says so, and one of nothing known is unknown', () => {
  expect(fleetSums([row(4, 1), row(1_200, 7)])).toEqual([
    '1,204 active instances',
    '8 sessions',
    '8 players',
  ]);
  expect(fleetSums([row(1, 1), row(null, 7), row(null, null)])).toEqual([
    '1 active instance (2 fleets unknown)',
    '8 sessions (1 fleet unknown)',
    '8 players (1 fleet unknown)',
  ]);
  expect(fleetSums([row(null, null)])).toEqual([
    'active instances unknown',
    'sessions unknown',
    'players unknown',
  ]);
  expect([sumOf([4, null]), sumOf([null]), sumOf([4]), sumOf([])].map(atLeast)).toEqual([
    '≥ 4',
    '–',
    '4',
    '0',
  ]);
});

it('what has no such figure is not missing in a sum', () => {
  const own = row(null, 5, { kind: 'anywhere' });
  const gone = row(null, null, { state: 'off' });
  expect(fleetSums([row(4, 1), own, gone])).toEqual(['4 active instances', '6 sessions', '6 players']);
});

it('a certificate near its end counts whole days, and one that ended says so', () => {
  const day = 86_400_000;
  const near = { endsAt: 30.5 * day, state: 'near' } as const;
  expect(certificateTag(near, 0)).toBe('certificate ends in 30 days');
  expect(certificateTag(near, 29 * day)).toBe('certificate ends in 1 day');
  expect(certificateTag(near, 30 * day)).toBe('certificate ends today');
  expect(certificateTag({ ...near, state: 'ended' }, 31 * day)).toBe('certificate ended');
});
