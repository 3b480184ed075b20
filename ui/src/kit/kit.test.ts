import { beforeEach, describe, expect, it } from 'vitest';
import { cluster } from './chart/clusters';
import { bandRuns, highestOf } from './chart/bands';
import { plotRows } from './chart/options';
import { reading, usualAt } from './chart/reading';
import type { ChartMark, ChartSeries } from './chart/types';
import { sparkPaths } from './spark';
import {
  gridTracks,
  leastRowWidth,
  loadChosen,
  nothingChosen,
  saveChosen,
  shownColumns,
  type Column,
} from './table/columns';

describe('columns', () => {
  const columns: Column<never>[] = [
    { key: 'name', title: 'Name', width: 140, grow: 1 },
    { key: 'players', title: 'Players', width: 80 },
  ];
  beforeEach(() => localStorage.clear());

  const wide = (widths: Record<string, number>) => ({ ...nothingChosen, widths });

  it('grow unless the person gave them a width', () => {
    expect(gridTracks(columns, nothingChosen)).toBe('minmax(140px, 1fr) 80px');
    expect(gridTracks(columns, wide({ name: 200 }))).toBe('200px 80px');
    expect(leastRowWidth(columns, wide({ name: 200 }))).toBe(280);
  });

  it('are never narrower than can be grabbed', () => {
    expect(gridTracks(columns, wide({ players: 3 }))).toBe('minmax(140px, 1fr) 44px');
  });

  it('leave a narrow table, the least wanted first, unless the person wants them', () => {
    const more: Column<never>[] = [
      ...columns,
      { key: 'dns', title: 'DNS name', width: 160, yields: 2 },
      { key: 'type', title: 'Type', width: 90, yields: 1 },
    ];
    const keys = (shown: Record<string, boolean>, room: number) =>
      shownColumns(more, { widths: {}, shown }, room).map((column) => column.key);
    expect(keys({}, 470)).toEqual(['name', 'players', 'dns', 'type']);
    expect(keys({}, 469)).toEqual(['name', 'players', 'type']);
    expect(keys({}, 100)).toEqual(['name', 'players']);
    expect(keys({ dns: true }, 400)).toEqual(['name', 'players', 'dns']);
    expect(keys({ players: false }, 1_000)).toEqual(['name', 'dns', 'type']);
  });

  it('keep what a person chose, and survive nonsense in its place', () => {
    saveChosen('fleets', { widths: { name: 210 }, shown: { type: false } });
    expect(loadChosen('fleets')).toEqual({ widths: { name: 210 }, shown: { type: false } });
    localStorage.setItem('liftdeck.columns.fleets', '{"widths":{"name":"wide"},"shown":7}');
    expect(loadChosen('fleets')).toEqual(nothingChosen);
    localStorage.setItem('liftdeck.columns.fleets', '{"name":"wide"');
    expect(loadChosen('fleets')).toEqual(nothingChosen);
  });
});

describe('marks', () => {
  const mark = (at: number, shape: ChartMark['shape'] = 'circle'): ChartMark => ({
    key: `${at}`, at, shape, color: '--series-1', text: '',
  }); // prettier-ignore

  it('too close to tell apart become one, the worst in front', () => {
    const made = cluster([mark(100), mark(101, 'square'), mark(500)], { from: 0, to: 1_000 }, 0.02);
    expect(made.map((one) => [one.front.shape, one.marks.length])).toEqual([['square', 2], ['circle', 1]]); // prettier-ignore
  });

  it('outside the range are not drawn', () => {
    expect(cluster([mark(-1), mark(1_001)], { from: 0, to: 1_000 }, 0.02)).toEqual([]);
  });
});

describe('lines', () => {
  const series = (values: number[], more: Partial<ChartSeries> = {}): ChartSeries => ({
    key: 'a', label: 'a', color: '--series-1', style: 'line', format: String, values, ...more,
  }); // prettier-ignore

  it('break where a value is missing', () => {
    expect(plotRows([1, 2, 3], [series([5, Number.NaN, 7])])).toEqual([[1, 2, 3], [5, null, 7]]); // prettier-ignore
    expect(sparkPaths([1, null, 3, 4], 30, 10).line.match(/M/g)).toHaveLength(2);
  });

  it('keep a zero unless zero is the usual state', () => {
    expect(plotRows([1, 2], [series([0, 2])])[1]).toEqual([0, 2]);
    expect(plotRows([1, 2], [series([0, 2], { hidesZero: true })])[1]).toEqual([null, 2]);
  });

  const spiked = series([78, 50, Number.NaN], {
    format: (value) => `${value} %`,
    band: { low: [41, 50, Number.NaN], high: [96, 50, Number.NaN] },
  });

  it('read out how far they went inside a bucket, where they went anywhere', () => {
    expect([0, 1, 2].map((row) => reading(spiked, row))).toEqual(['78 % · 41–96', '50 %', '–']);
    expect(reading(series([3]), 0)).toBe('3');
  });

  it('have a band in stretches, and a scale that holds its top', () => {
    expect(bandRuns([Number.NaN, 1, 2, Number.NaN, 3])).toEqual([[1, 2], [4, 4]]); // prettier-ignore
    expect(bandRuns([])).toEqual([]);
    const right = series([1], { right: true, band: { low: [0], high: [500] } });
    const quiet = series([1], { quiet: true, band: { low: [0], high: [9_000] } });
    expect(highestOf([spiked, right, quiet], false)).toBe(96);
    expect(highestOf([spiked, right, quiet], true)).toBe(500);
  });

  it('tell what is usual at their times, and keep it inside the scale', () => {
    const usual = { t: [0, 60, 120], low: [2, 3, Number.NaN], high: [8, 9, Number.NaN] };
    const one = series([5], { usual });
    expect([-1, 0, 59, 60, 500].map((at) => usualAt(one, at))).toEqual([null, '2 – 8', '2 – 8', '3 – 9', null]); // prettier-ignore
    expect(usualAt(series([5]), 0)).toBeNull();
    expect(highestOf([one], false)).toBe(9);
  });

  it('have a usual band in closed stretches that stays inside the spark line', () => {
    const { band, line } = sparkPaths([5, 5, 5], 100, 12, 10, {
      low: [0, null, 4],
      high: [10, 10, 6],
    });
    expect(band).toBe('M0.0 1.0L0.0 11.0ZM100.0 5.0L100.0 7.0Z');
    expect(line).toBe('M0.0 6.0L50.0 6.0L100.0 6.0');
  });

  it('without any value are empty paths', () => {
    expect(sparkPaths([], 150, 34)).toEqual({ line: '', area: '', band: '' });
    expect(sparkPaths([null, null], 150, 34)).toEqual({ line: '', area: '', band: '' });
  });
});
