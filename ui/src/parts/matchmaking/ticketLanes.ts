/** Owns which series show how tickets went over time, how and on which lane. */
import { rate } from '$lib/numbers';
import { duration } from '$lib/time';
import type { NamedSeries } from '$live/series.svelte';
import type { SeriesName } from '$live/types';
import { laneOf, type Lane } from '$parts/chart/lanes';

export const ticketSeries: readonly SeriesName[] = [
  'ticketsCompleted', 'ticketsFailed', 'ticketsTimedOut', 'ticketsCancelled', 'matchmakingWaitP50',
  'matchmakingWaitP95',
]; // prettier-ignore

/** The series that are compared with what is usual or with an earlier day. */
export const comparedTickets: readonly SeriesName[] = ['ticketsCompleted', 'matchmakingWaitP95'];

export const ticketLanes = (data: NamedSeries): Lane[] => [
  {
    title: 'Tickets / min',
    atLeast: 1,
    series: laneOf(data, rate, [
      ['ticketsCompleted', 'completed', '--series-1', 'area'],
      ['ticketsFailed', 'failed', '--bad', 'line', { hidesZero: true }],
      ['ticketsTimedOut', 'timed out', '--warn', 'line', { hidesZero: true }],
      ['ticketsCancelled', 'cancelled', '--faint', 'line', { hidesZero: true }],
    ]),
  },
  {
    title: 'Wait of matched tickets',
    atLeast: 10_000,
    series: laneOf(data, duration, [
      ['matchmakingWaitP95', 'p95', '--series-3', 'line'],
      ['matchmakingWaitP50', 'p50', '--series-4', 'line'],
    ]),
  },
];
