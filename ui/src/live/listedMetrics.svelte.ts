/** Owns loading every metric that CloudWatch has of a fleet or a metric group, with the values of a range. */
import { decodeSeries, type Band } from '$lib/series';
import { createQuery, type Query } from './query.svelte';
import type { Freshness, MetricRow, MetricsOf, TimeRange } from './types';

export type ListedMetrics = {
  readonly rows: readonly MetricRow[];
  readonly freshness: Freshness;
  readonly range: TimeRange;
  readonly t: Float64Array;
  /** The values of a row; empty if there are none. */
  column(row: MetricRow): Float64Array;
  band(row: MetricRow): Band | null;
};

/** Must be called while a component is being initialised. `leftOut` names metrics that are shown elsewhere. */
export function createListedMetrics(question: {
  of: () => MetricsOf;
  leftOut: ReadonlySet<string>;
  range: () => TimeRange;
  maxPoints: (range: TimeRange) => number;
}): Query<ListedMetrics> {
  return createQuery<ListedMetrics>({
    identity: () => JSON.stringify(question.of()),
    ask: async (calls) => {
      const range = question.range();
      const list = await calls.metricList(question.of());
      const rows = list.rows.filter((row) => !question.leftOut.has(row.name));
      const keys = rows.map((row) => row.key);
      const series = decodeSeries(
        await calls.metricRead({ keys, range, maxPoints: question.maxPoints(range) }),
      );
      const nothing = new Float64Array();
      return {
        rows,
        freshness: list.freshness,
        range,
        t: series.t,
        column: (row) => series.columns[keys.indexOf(row.key)] ?? nothing,
        band: (row) => series.bands[keys.indexOf(row.key)] ?? null,
      };
    },
  });
}
