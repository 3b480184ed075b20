/** Owns how a chart's value is written, `78 % · 41–96` if its bucket ranged from 41 to 96, and what is usual for it. */
import { absent, brief, span } from '$lib/numbers';
import { rowAt } from '$lib/series';
import type { ChartSeries } from './types';

/** The value of a row, with its bucket's lowest and highest where they differ. */
export function reading(one: ChartSeries, row: number): string {
  const value = one.values[row];
  if (value === undefined || Number.isNaN(value)) return absent;
  const [low, high] = [brief(one.band?.low[row]), brief(one.band?.high[row])];
  return low === high ? one.format(value) : `${one.format(value)} · ${low}–${high}`;
}

/** What is usual at an instant in epoch seconds: `240 – 275`; null where it is not known. */
export function usualAt(one: ChartSeries, seconds: number): string | null {
  if (!one.usual) return null;
  const row = rowAt(one.usual.t, seconds);
  const [low, high] = [one.usual.low[row], one.usual.high[row]];
  if (low === undefined || high === undefined || Number.isNaN(low) || Number.isNaN(high)) return null;
  return span(one.format(low), one.format(high));
}
