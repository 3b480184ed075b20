import { expect, it } from 'vitest';
import { decodeSeries, encodeSeries } from '$lib/series';
import type { NamedSeries } from '$live/series.svelte';
import type { SeriesName } from '$live/types';
import { placementLanes, placementSeries } from '$parts/placement/placementLanes';
import { ticketLanes, ticketSeries } from '$parts/matchmaking/ticketLanes';
import { hasValues } from './lanes';

function answered(names: readonly SeriesName[], value: number): NamedSeries {
  const { t, columns } = decodeSeries(encodeSeries([0, 60], names.map(() => [Number.NaN, value]))); // prettier-ignore
  const column = (name: SeriesName) => columns[names.indexOf(name)] ?? new Float64Array();
  return { range: { from: 0, to: 120_000 }, t, column, band: () => null };
}

it.each([
  [placementLanes, placementSeries],
  [ticketLanes, ticketSeries],
] as const)('every column that is asked for is drawn once, and none without events', (lanes, names) => {
  const drawn = lanes(answered(names, 2)).flatMap((lane) => lane.series.map((one) => one.key));
  expect(drawn.toSorted()).toEqual([...names].toSorted());
  expect(hasValues(lanes(answered(names, 2)))).toBe(true);
  expect(hasValues(lanes(answered(names, Number.NaN)))).toBe(false);
});
