/** Owns loading series and naming their columns. The requested range comes back with the columns. */
import { decodeSeries, type Band, type Series } from '$lib/series';
import { createQuery, type Query } from './query.svelte';
import type { TimeRange, SeriesName, SeriesScope } from './types';

export type NamedSeries = {
  readonly range: TimeRange;
  readonly t: Float64Array;
  /** The column of a name; empty if it was not requested. */
  column(name: SeriesName): Float64Array;
  /** The lowest and highest values in each bucket; null where they add nothing to the column. */
  band(name: SeriesName): Band | null;
};

/** Must be called while a component is being initialised. `maxPoints` limits the number of rows. */
export function createSeries(question: {
  scope: () => SeriesScope;
  names: readonly SeriesName[];
  range: () => TimeRange;
  maxPoints?: (range: TimeRange) => number;
}): Query<NamedSeries> {
  return createQuery<NamedSeries>({
    identity: () => JSON.stringify(question.scope()),
    ask: async (calls) => {
      const range = question.range();
      const names = [...question.names];
      const scope = question.scope();
      const maxPoints = question.maxPoints?.(range) ?? 2_000;
      const series = decodeSeries(await calls.seriesRead({ scope, names, range, maxPoints }));
      return named(series, names, range);
    },
  });
}

function named(series: Series, names: readonly SeriesName[], range: TimeRange): NamedSeries {
  const nothing = new Float64Array();
  return {
    range,
    t: series.t,
    column: (name) => series.columns[names.indexOf(name)] ?? nothing,
    band: (name) => series.bands[names.indexOf(name)] ?? null,
  };
}
