import { expect, it } from 'vitest';
import type { PlacementGroup } from '$live/types';
import { inStillOrder, isChosen, narrowedTo, parameterOf, scopeOf } from './split';

const group = (label: string, fulfilled: number, key = label): PlacementGroup => ({
  key,
  region: null,
  label,
  statistics: {
    funnel: { fulfilled, cancelled: 0, timedOut: 0, failed: 0 },
    p50Ms: null,
    p95Ms: null,
    p99Ms: null,
    histogram: [],
  },
});

it('groups of placements keep their order whatever they count, and what was not placed is last', () => {
  const order = (...counts: [number, number, number]) =>
    inStillOrder([
      group('not placed', counts[0], 'nowhere'),
      group('arena-us', counts[1]),
      group('arena-eu', counts[2]),
    ]).map((one) => one.label);
  expect(order(9, 5, 1)).toEqual(['arena-eu', 'arena-us', 'not placed']);
  expect(order(1, 5, 9)).toEqual(['arena-eu', 'arena-us', 'not placed']);
});

it('a queue is told from one of the same name in another Region', () => {
  const here = { ...group('arena', 1), region: 'eu-west-1' };
  expect(narrowedTo('queue', here)).toEqual({ queue: 'arena', region: 'eu-west-1' });
  const scope = { queue: 'arena', region: 'us-east-1', destination: null, having: null };
  expect(isChosen(scope, 'queue', here)).toBe(false);
  expect(isChosen({ ...scope, region: 'eu-west-1' }, 'queue', here)).toBe(true);
  expect(isChosen({ ...scope, region: null }, 'queue', here)).toBe(true);
});

it('the scope of an address is not read from its time range', () => {
  const range = { from: '2026-03-04T09:00:00.000Z', to: '2026-03-04T10:00:00.000Z' };
  const none = { queue: null, region: null, destination: null, having: null };
  expect(scopeOf(range)).toEqual(none);
  expect(scopeOf({ ...range, [parameterOf.destination]: 'fleet-1', with: 'build=build-1' })).toEqual({
    ...none,
    destination: 'fleet-1',
    having: 'build=build-1',
  });
});
