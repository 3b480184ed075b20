import { mount, unmount } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import type { Kpi } from '$live/types';
import { kpiUsual, leftOut, noValue } from './kpi';
import KpiCard from './KpiCard.svelte';

let card: ReturnType<typeof mount> | null = null;
const clear = () => {
  if (card) void unmount(card);
  card = null;
};
afterEach(clear);

const players: Kpi = {
  key: 'playersOnline',
  value: 2176,
  of: null,
  usual: { low: 2050.4, high: 2299.6, median: 2175, season: 'hourOfWeek', learntFrom: 4 },
  standing: { kind: 'within' },
  failedShare: null,
  usualFailedShare: null,
  unknownFleets: 0,
  spark: [2100, null, 2176],
  sparkLow: [2050, 2050, 2050],
  sparkHigh: [2300, 2300, 2300],
  freshness: { asOf: 0, stale: false },
};

function shown(kpi: Partial<Kpi>): string {
  card = mount(KpiCard, { target: document.body, props: { kpi: { ...players, ...kpi } } });
  return document.body.querySelector('.compare')?.textContent.trim() ?? '';
}

describe('a figure', () => {
  it('says what is usual', () => {
    expect(shown({})).toBe('usual 2,050 – 2,300');
  });

  it('says on which side of it the value lies, in a word and a shape', () => {
    expect(shown({ value: 3000, standing: { kind: 'above' } })).toBe('▲ above usual 2,050 – 2,300');
    clear();
    expect(shown({ value: 90, standing: { kind: 'below' } })).toBe('▼ below usual 2,050 – 2,300');
  });

  it('compares with nothing while too little is known', () => {
    const learning = { kind: 'learning', days: 2, ofDays: 3 } as const;
    expect(shown({ usual: null, standing: learning })).toBe('learning: 2 of 3 days');
    clear();
    expect(shown({ usual: null, value: null, standing: { kind: 'unknown' } })).toBe('no data');
  });
});

it('leads to the screen that its figure is about', () => {
  shown({ key: 'matchmakingWaitP95', value: 30 });
  expect(document.body.querySelector('.card')?.getAttribute('href')).toBe('#/matchmaking');
  clear();
  shown({ key: 'placementsPerMinute', value: 3 });
  expect(document.body.querySelector('.card')?.getAttribute('href')).toBe('#/placements');
});

it('writes a small rate with a decimal and its usual share of failures', () => {
  const usual = { low: 0.21, high: 1.4, median: 0.8, season: 'hourOfDay', learntFrom: 5 } as const;
  const rate: Kpi = {
    ...players,
    key: 'placementsPerMinute',
    value: 1,
    usual,
    usualFailedShare: { low: 0, high: 0.04 },
  };
  expect(kpiUsual(rate)).toBe('0.2 – 1.4, 0 – 4 % fail');
  expect(kpiUsual({ ...players, key: 'matchmakingWaitP95', usual: { ...usual, low: 25, high: 40 } })).toBe(
    '25 – 40 s',
  );
  expect(kpiUsual({ ...players, usual: null })).toBeNull();
});

it('says what a figure leaves out, and that one of the past is unknown rather than without a source', () => {
  expect(leftOut(players)).toBeNull();
  expect(leftOut({ ...players, unknownFleets: 2 })).toBe('without 2 fleets');
  const none: Kpi = { ...players, key: 'placementsPerMinute', value: null, unknownFleets: 2 };
  expect(leftOut(none)).toBeNull();
  expect([noValue(none, false), noValue(none, true)]).toEqual(['no event queue', 'unknown']);
  expect(noValue({ ...none, key: 'matchmakingWaitP95' }, true)).toBe('no data');
});
