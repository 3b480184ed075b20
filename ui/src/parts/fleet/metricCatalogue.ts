/** Owns which CloudWatch fleet metrics are shown, their groups and their units. */
import type { ChartSeries } from '$kit/chart/types';
import { count, percent } from '$lib/numbers';
import type { NamedSeries } from '$live/series.svelte';
import type { SeriesName } from '$live/types';

export type Metric = {
  readonly name: SeriesName;
  /** CloudWatch's name for it. */
  readonly title: string;
  readonly unit: 'Count' | 'Percent';
  readonly statistic: 'Average' | 'Sum';
  readonly color: string;
};

export type MetricGroup = { readonly title: string; readonly metrics: readonly Metric[] };

const one = (name: SeriesName, color: string, more: Partial<Metric> = {}): Metric => ({
  name,
  title: name.charAt(0).toUpperCase() + name.slice(1),
  unit: name.startsWith('percent') ? 'Percent' : 'Count',
  statistic: 'Average',
  color,
  ...more,
});
const counted = { statistic: 'Sum' } as const;

/** PendingInstances and TerminatingInstances come from GameLift's capacity; CloudWatch does not have them. */
export const metricGroups: readonly MetricGroup[] = [
  {
    title: 'Instances',
    metrics: [
      one('activeInstances', '--series-1'),
      one('desiredInstances', '--series-2'),
      one('idleInstances', '--faint'),
      one('minInstances', '--faint'),
      one('maxInstances', '--bad'),
      one('instanceSpotInterruptions', '--bad', counted),
    ],
  },
  {
    title: 'Game sessions',
    metrics: [
      one('activeGameSessions', '--series-1'),
      one('availableGameSessions', '--series-3'),
      one('percentAvailableGameSessions', '--series-3'),
      one('activatingGameSessions', '--series-2'),
      one('gameSessionInterruptions', '--bad', counted),
    ],
  },
  { title: 'Player sessions', metrics: [one('currentPlayerSessions', '--series-5')] },
  {
    title: 'Server processes',
    metrics: [
      one('activeServerProcesses', '--series-4'),
      one('healthyServerProcesses', '--good'),
      one('percentHealthyServerProcesses', '--good'),
      one('serverProcessActivations', '--series-2', counted),
      one('serverProcessTerminations', '--faint', counted),
      one('serverProcessAbnormalTerminations', '--bad', counted),
    ],
  },
];

/** Whether the range has any value of a metric. */
export const isKnown = (data: NamedSeries, metric: Metric): boolean =>
  data.column(metric.name).some((value) => !Number.isNaN(value));

const settings: readonly SeriesName[] = ['desiredInstances', 'minInstances', 'maxInstances'];

/** A metric as its chart's only series; the legend has its unit and statistic. */
export function metricSeries(data: NamedSeries, metric: Metric): ChartSeries {
  const stepped = settings.includes(metric.name) || metric.name === 'activeInstances';
  return {
    key: metric.name,
    label: `${metric.unit} · ${metric.statistic}`,
    color: metric.color,
    values: data.column(metric.name),
    band: data.band(metric.name),
    style: metric.statistic === 'Sum' ? 'bars' : stepped ? 'step' : 'line',
    format: metric.unit === 'Percent' ? (value) => percent(value) : count,
    axisFormat: metric.unit === 'Percent' ? (value) => percent(value, 0) : undefined,
  };
}

/** The metrics that are compared with what is usual or with an earlier day. */
export const comparedMetrics: readonly SeriesName[] = [
  'activeInstances', 'idleInstances', 'percentAvailableGameSessions', 'activeGameSessions', 'availableGameSessions',
  'activeServerProcesses', 'healthyServerProcesses', 'currentPlayerSessions',
]; // prettier-ignore

/** The minimum top of the scale, so that a single session does not look like a surge. */
export const leastTop = (metric: Metric): number => (metric.unit === 'Percent' ? 100 : 4);
