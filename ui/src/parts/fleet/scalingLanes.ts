/** Owns which series the scaling chart shows, how and on which lane. */
import { count, percent } from '$lib/numbers';
import { lastValue } from '$lib/series';
import type { NamedSeries } from '$live/series.svelte';
import type { SeriesName } from '$live/types';
import { laneOf } from '$parts/chart/lanes';

export const scalingSeries: readonly SeriesName[] = [
  'desiredInstances', 'activeInstances', 'pendingInstances', 'idleInstances', 'terminatingInstances', 'minInstances',
  'maxInstances', 'percentAvailableGameSessions', 'policyTarget', 'activeGameSessions', 'currentPlayerSessions',
]; // prettier-ignore

/** The series that are compared with what is usual or with an earlier day. */
export const comparedSeries: readonly SeriesName[] = [
  'activeInstances', 'percentAvailableGameSessions', 'activeGameSessions', 'currentPlayerSessions',
]; // prettier-ignore

export const instanceLane = (data: NamedSeries) =>
  laneOf(data, count, [
    ['activeInstances', 'active', '--series-1', 'stepArea'],
    ['desiredInstances', 'desired', '--series-2', 'step'],
    ['pendingInstances', 'pending', '--series-4', 'step', { hidesZero: true }],
    ['idleInstances', 'idle', '--faint', 'step', { hidesZero: true }],
    ['terminatingInstances', 'terminating', '--series-6', 'step', { hidesZero: true }],
    ['maxInstances', 'max', '--bad', 'step', { dashed: true, quiet: true }],
    ['minInstances', 'min', '--faint', 'step', { dashed: true, quiet: true }],
  ]);

const toTenth = (value: number) => percent(value);
const whole = (value: number) => percent(value, 0);

export const availableLane = (data: NamedSeries) =>
  laneOf(data, toTenth, [
    ['percentAvailableGameSessions', 'available', '--series-3', 'line', { axisFormat: whole }],
    ['policyTarget', 'policy target', '--series-4', 'step', { dashed: true }],
  ]);

export const loadLane = (data: NamedSeries) =>
  laneOf(data, count, [
    ['activeGameSessions', 'sessions', '--series-1', 'area'],
    ['currentPlayerSessions', 'players', '--series-5', 'line', { right: true }],
  ]);

/** `8 – 40`: the limits in force at the end of the range. */
export const limits = (data: NamedSeries): string =>
  `${count(lastValue(data.column('minInstances')))} – ${count(lastValue(data.column('maxInstances')))}`;
