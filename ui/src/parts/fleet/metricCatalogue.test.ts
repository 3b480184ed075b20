import { describe, expect, it } from 'vitest';
import type { NamedSeries } from '$live/series.svelte';
import type { SeriesName } from '$live/types';
import { isKnown, leastTop, metricGroups, metricSeries } from './metricCatalogue';

const metrics = metricGroups.flatMap((group) => group.metrics);
const band = { low: Float64Array.from([41]), high: Float64Array.from([96]) };
const data = (value: number): NamedSeries => ({
  range: { from: 0, to: 1 },
  t: Float64Array.from([0]),
  column: () => Float64Array.from([value]),
  band: () => band,
});
const of = (name: SeriesName) => {
  const found = metrics.find((metric) => metric.name === name);
  if (!found) throw new Error(`${name} is in no group`);
  return found;
};

describe('the metrics of a fleet', () => {
  it('are each named once, as CloudWatch names them', () => {
    expect(new Set(metrics.map((metric) => metric.title)).size).toBe(metrics.length);
    expect(of('percentAvailableGameSessions').title).toBe('PercentAvailableGameSessions');
  });

  it('say their unit and statistic, and are written in them', () => {
    const share = metricSeries(data(78.4), of('percentAvailableGameSessions'));
    expect([share.label, share.format(78.4), share.band]).toEqual(['Percent · Average', '78.4 %', band]);
    const ended = metricSeries(data(3), of('serverProcessAbnormalTerminations'));
    expect([ended.label, ended.format(3), ended.style]).toEqual(['Count · Sum', '3', 'bars']);
  });

  it('are known when any moment of the range has one', () => {
    expect(isKnown(data(0), of('activeInstances'))).toBe(true);
    expect(isKnown(data(Number.NaN), of('activeInstances'))).toBe(false);
  });

  it('reach a scale that does not make a wave of one session', () => {
    expect([leastTop(of('percentAvailableGameSessions')), leastTop(of('activeGameSessions'))]).toEqual([
      100, 4,
    ]);
  });
});
