/** Owns which series show how placements went over time, how and on which lane. */
import { percent, rate } from '$lib/numbers';
import { duration } from '$lib/time';
import type { NamedSeries } from '$live/series.svelte';
import type { SeriesName } from '$live/types';
import { laneOf, type Lane } from '$parts/chart/lanes';

export const placementSeries: readonly SeriesName[] = [
  'placementsFulfilled', 'placementsFailed', 'placementsCancelled', 'placementFailedPercent', 'timeToPlaceP50',
  'timeToPlaceP95',
]; // prettier-ignore

/** The series that are compared with what is usual or with an earlier day. */
export const comparedPlacements: readonly SeriesName[] = [
  'placementsFulfilled', 'placementFailedPercent', 'timeToPlaceP95',
]; // prettier-ignore

const whole = (value: number) => percent(value, 0);

export const placementLanes = (data: NamedSeries): Lane[] => [
  {
    title: 'Placements / min',
    atLeast: 1,
    series: laneOf(data, rate, [
      ['placementsFulfilled', 'fulfilled', '--series-1', 'area'],
      ['placementsFailed', 'failed, timed out', '--bad', 'line'],
      ['placementsCancelled', 'cancelled', '--faint', 'line', { hidesZero: true }],
    ]),
  },
  {
    title: 'Failed or timed out',
    atLeast: 10,
    series: laneOf(data, percent, [
      ['placementFailedPercent', 'share', '--bad', 'line', { axisFormat: whole }],
    ]),
  },
  {
    title: 'Time to place',
    atLeast: 2_000,
    series: laneOf(data, duration, [
      ['timeToPlaceP95', 'p95', '--series-3', 'line'],
      ['timeToPlaceP50', 'p50', '--series-4', 'line'],
    ]),
  },
];
