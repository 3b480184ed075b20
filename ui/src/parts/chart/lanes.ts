/** Owns how columns become the series of a lane. */
import type { ChartSeries } from '$kit/chart/types';
import type { NamedSeries } from '$live/series.svelte';
import type { SeriesName } from '$live/types';

export type Lane = {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  /** The scale reaches at least this value. */
  readonly atLeast: number;
};

export type Drawn = [
  name: SeriesName,
  label: string,
  color: string,
  style: ChartSeries['style'],
  more?: Partial<ChartSeries>,
];

/** The series of a lane, all written alike. */
export const laneOf = (
  data: NamedSeries,
  format: ChartSeries['format'],
  drawn: readonly Drawn[],
): ChartSeries[] =>
  drawn.map(([name, label, color, style, more]) => ({
    key: name,
    label,
    color,
    style,
    format,
    values: data.column(name),
    band: data.band(name),
    ...more,
  }));

/** Whether any of the lanes has a value. */
export const hasValues = (lanes: readonly Lane[]): boolean =>
  lanes.some((lane) =>
    lane.series.some((one) => Array.from(one.values).some((value) => !Number.isNaN(value))),
  );
