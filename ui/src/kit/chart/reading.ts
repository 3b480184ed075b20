/** Owns how a chart's value is written: `78 % · 41–96` if its bucket ranged from 41 to 96. */
import { absent, brief } from '$lib/numbers';
import type { ChartSeries } from './types';

/** The value of a row, with its bucket's lowest and highest where they differ. */
export function reading(one: ChartSeries, row: number): string {
  const value = one.values[row];
  if (value === undefined || Number.isNaN(value)) return absent;
  const [low, high] = [brief(one.band?.low[row]), brief(one.band?.high[row])];
  return low === high ? one.format(value) : `${one.format(value)} · ${low}–${high}`;
}
