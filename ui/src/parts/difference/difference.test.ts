import { describe, expect, test } from 'vitest';
import type { Difference } from '$live/types';
import {
  badWord,
  byChance,
  byChanceInFull,
  havingOf,
  narrowed,
  placementsWith,
  shareBad,
  ticketsWith,
  times,
} from './difference';

describe('a difference', () => {
  test('is told in times, roughly when it is great', () => {
    expect(times({ lift: 330.2 })).toBe('330×');
    expect(times({ lift: 2.66 })).toBe('2.7×');
    expect(times({ lift: null })).toBe('only here');
  });

  test('says how likely it is by chance, and whether that is too likely', () => {
    expect(byChance({ p: 0.000_02 })).toBe('p < 0.001');
    expect(byChance({ p: 0.001 })).toBe('p = 0.001');
    expect(byChance({ p: 0.034_6 })).toBe('p = 0.035');
    expect(byChance({ p: 1 })).toBe('p = 1');
    const words = 'how likely it is by chance, corrected for the number of values compared.';
    expect(byChanceInFull({ p: 0.004, isSignificant: true })).toBe(`p = 0.004: ${words}`);
    expect(byChanceInFull({ p: 0.2, isSignificant: false })).toBe(
      `Too few to call it a difference. p = 0.2: ${words}`,
    );
  });

  test('has a share also of nothing', () => {
    expect(shareBad({ badIn: 12, allIn: 16 })).toBe(0.75);
    expect(shareBad({ badIn: 0, allIn: 0 })).toBe(0);
  });

  test('narrows a query by its term, once', () => {
    expect(narrowed('ended:crashed', 'build=b-1')).toBe('ended:crashed build=b-1');
    expect(narrowed('', 'build=b-1')).toBe('build=b-1');
    expect(narrowed('ended:crashed build=b-1', 'build=b-1')).toBe('ended:crashed build=b-1');
    expect(narrowed('ended:crashed or ended:error', 'max=8')).toBe('(ended:crashed or ended:error) max=8');
  });

  test('names the bad ones by how they ended', () => {
    expect(badWord('ended:crashed')).toBe('crashed');
    expect(badWord('ended:abnormal')).toBe('ended abnormally');
    expect(badWord('ended:activation_timed_out')).toBe('activation timed out');
    expect(badWord('duration<1m')).toBe('matching');
    expect(badWord('ended:none')).toBe('matching');
    expect(badWord('ended:15m')).toBe('matching');
  });

  test('leads to the placements or tickets with its value', () => {
    const one = (dimension: Difference['dimension'], value: string, term: string | null) =>
      ({ dimension, value, term }) as Difference;
    expect(placementsWith(one('fleet', 'fleet-1', 'fleet=fleet-1'))).toEqual({ with: 'fleet=fleet-1' });
    expect(placementsWith(one('queue', 'arena', 'queue=arena'))).toEqual({ queue: 'arena' });
    expect(placementsWith(one('compute', 'i-1', null))).toEqual({});
    expect(ticketsWith(one('configuration', 'ranked', 'configuration=ranked'))).toEqual({
      configuration: 'ranked',
    });
    expect(ticketsWith(one('players', '4', 'players=4'))).toEqual({ with: 'players=4' });
  });

  test('names what it selects', () => {
    expect(havingOf('fleet=fleet-1')).toEqual({ name: 'possible fleet', value: 'fleet-1' });
    expect(havingOf('prop.a%3Db=c=d')).toEqual({ name: 'a=b', value: 'c=d' });
    expect(havingOf('players=4')).toEqual({ name: 'players', value: '4' });
    expect(havingOf('what')).toEqual({ name: 'what', value: '' });
  });
});
