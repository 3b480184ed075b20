import { describe, expect, it } from 'vitest';
import type { ChartSeries } from '$kit/chart/types';
import { decodeSeries, encodeSeries } from '$lib/series';
import { compared, comparisonOf } from '$live/compare.svelte';
import { withComparison } from './compareLines';

const day = 86_400;
const lane: ChartSeries[] = [
  { key: 'activeGameSessions', label: 'sessions', color: '--series-1', style: 'area', format: String, values: [5, 6, 7] },
  { key: 'policyTarget', label: 'target', color: '--series-4', style: 'step', format: String, values: [1, 1, 1] },
]; // prettier-ignore
const names = ['activeGameSessions'] as const;
const t = [day, day + 60, day + 120];

describe('a lane', () => {
  it('has what is usual behind the series that are learnt', () => {
    const band = { low: Float64Array.of(3, 3), high: Float64Array.of(8, 8) };
    const series = decodeSeries(encodeSeries([day, day + 120], [[5, 5]], [band]));
    const drawn = withComparison(lane, t, compared(series, names, 'usual', 'usual', null), names);
    expect(drawn.map((one) => one.key)).toEqual(['activeGameSessions', 'policyTarget']);
    expect(drawn[0]?.usual?.high[0]).toBe(8);
    expect(drawn[1]?.usual).toBeUndefined();
  });

  it('has an earlier day as a line of its own, at the times of today, with its gaps', () => {
    const series = decodeSeries(encodeSeries([-5, 55], [[40, 50]]));
    const drawn = withComparison(
      lane,
      t,
      compared(series, names, 'yesterday', 'yesterday', day * 1000),
      names,
    );
    expect(drawn.map((one) => one.label)).toEqual(['sessions', 'sessions yesterday', 'target']);
    expect(Array.from(drawn[1]?.values ?? [])).toEqual([40, 50, Number.NaN]);
    expect(drawn[1]?.dashed).toBe(true);
  });

  it('is left as it is until the comparison has arrived', () => {
    expect(withComparison(lane, t, null, names)).toEqual(lane);
  });
});

it('compares with what is usual unless the address says otherwise', () => {
  expect([undefined, 'tomorrow', 'lastWeek'].map(comparisonOf)).toEqual(['usual', 'usual', 'lastWeek']);
});
