/** Owns what a screen's charts are compared with: what is usual, or an earlier day. */
import { decodeSeries, rowAt, type Series } from '$lib/series';
import { createQuery, type Query } from './query.svelte';
import type { SeriesName, SeriesScope, TimeRange } from './types';

/** The choices, with how far back each looks in milliseconds; none for what is usual. */
export const comparisons = [
  ['usual', 'usual', null],
  ['yesterday', 'yesterday', 86_400_000],
  ['lastWeek', 'last week', 7 * 86_400_000],
] as const;
export type Comparison = (typeof comparisons)[number][0];

/** Reads a choice from an address; anything else is what is usual. */
export const comparisonOf = (text: string | undefined): Comparison =>
  comparisons.find(([key]) => key === text)?.[0] ?? 'usual';

/** The band that was usual for a figure, with its own times. */
export type UsualBand = { readonly t: Float64Array; readonly low: Float64Array; readonly high: Float64Array };

export type Compared = {
  readonly kind: Comparison;
  /** `yesterday`, `last week`; what is usual has no line. */
  readonly label: string;
  /** The usual band; null if the choice is another, or too little is known. */
  usual(name: SeriesName): UsualBand | null;
  /** The earlier values at the times of a chart's rows; null if the choice is what is usual. */
  earlier(name: SeriesName, t: ArrayLike<number>): Float64Array | null;
};

/** Must be called while a component is being initialised. */
export function createComparison(question: {
  scope: () => SeriesScope;
  names: readonly SeriesName[];
  range: () => TimeRange;
  kind: () => Comparison;
  maxPoints: number;
}): Query<Compared> {
  return createQuery<Compared>({
    identity: () => JSON.stringify([question.scope(), question.kind()]),
    ask: async (calls) => {
      const { from, to } = question.range();
      const [scope, kind, names] = [question.scope(), question.kind(), [...question.names]];
      const [, label, backMs] = comparisons.find(([key]) => key === kind) ?? comparisons[0];
      const range = { from: from - (backMs ?? 0), to: to - (backMs ?? 0) };
      const request = { scope, names, range, maxPoints: question.maxPoints };
      const series = decodeSeries(
        await (backMs === null ? calls.usualRead(request) : calls.seriesRead(request)),
      );
      return compared(series, names, kind, label, backMs);
    },
  });
}

export function compared(
  series: Series,
  names: readonly SeriesName[],
  kind: Comparison,
  label: string,
  backMs: number | null,
): Compared {
  return {
    kind,
    label,
    usual(name) {
      const band = backMs === null ? series.bands[names.indexOf(name)] : null;
      return band ? { t: series.t, ...band } : null;
    },
    earlier(name, t) {
      const column = series.columns[names.indexOf(name)];
      return backMs === null || !column ? null : moved(series.t, column, t, backMs / 1000);
    },
  };
}

/** Values `backS` seconds before each of the times; NaN where no row is as near as the rows are apart. */
function moved(from: Float64Array, values: Float64Array, t: ArrayLike<number>, backS: number): Float64Array {
  const apart = (from[1] ?? 0) - (from[0] ?? 0);
  return Float64Array.from(t, (seconds) => {
    const row = rowAt(from, seconds - backS);
    const isNear = row >= 0 && seconds - backS - (from[row] ?? 0) < apart;
    return isNear ? (values[row] ?? Number.NaN) : Number.NaN;
  });
}
