import { expect, it } from 'vitest';
import { atLeast, sumOf } from '$lib/numbers';
import type { FleetRow } from '$live/types';
import { fleetSums } from './fleetWords';

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
