/** Owns how a metric from CloudWatch's own list is drawn: its heading, unit and colour. */
import type { ChartSeries } from '$kit/chart/types';
import { bytes } from '$lib/bytes';
import { brief, percent, rate } from '$lib/numbers';
import type { ListedMetrics } from '$live/listedMetrics.svelte';
import type { MetricRow, MetricTopic } from '$live/types';
import type { GridChart } from './ChartGrid.svelte';

const topics: readonly (readonly [MetricTopic, string])[] = [
  ['instances', 'More of instances'],
  ['gameSessions', 'More of game sessions'],
  ['playerSessions', 'More of player sessions'],
  ['serverProcesses', 'More of server processes'],
  ['containers', 'Containers'],
  ['hardware', 'Hardware'],
  ['playerGateway', 'Player gateway'],
  ['other', 'Others'],
];

const color: Readonly<Record<MetricTopic, string>> = {
  instances: '--series-1',
  gameSessions: '--series-3',
  playerSessions: '--series-5',
  serverProcesses: '--series-4',
  containers: '--series-2',
  hardware: '--series-1',
  playerGateway: '--series-5',
  other: '--faint',
};

export type ListedGroup = { readonly title: string; readonly charts: readonly GridChart[] };

export const hasValue = (data: ListedMetrics, row: MetricRow): boolean =>
  data.column(row).some((value) => !Number.isNaN(value));

/** A metric's name, with what tells it from others of the same name. */
export const listedTitle = (row: MetricRow): string => [row.name, ...row.more].join(' · ');

/** A metric as its chart's only series; the legend has its unit and statistic. */
export function listedSeries(data: ListedMetrics, row: MetricRow): ChartSeries {
  const format =
    row.unit === 'Percent'
      ? (value: number) => percent(value)
      : row.unit === 'Bytes'
        ? (value: number) => bytes(Math.round(value))
        : (value: number) => rate(value);
  return {
    key: String(row.key),
    label: `${row.unit === 'Unknown' ? 'Unit not known' : row.unit} · ${row.statistic}`,
    color: color[row.topic],
    values: data.column(row),
    band: data.band(row),
    style: row.statistic === 'Sum' && row.unit === 'Count' ? 'bars' : 'line',
    format,
    axisFormat: row.unit === 'Percent' ? (value) => percent(value, 0) : row.unit === 'Bytes' ? format : brief,
  };
}

/** The metrics that have a value in the range, by what they are about; `title` replaces the headings. */
export function listedGroups(data: ListedMetrics, title?: string): ListedGroup[] {
  const chart = (row: MetricRow): GridChart => ({
    key: String(row.key),
    title: listedTitle(row),
    series: [listedSeries(data, row)],
    atLeast: row.unit === 'Percent' ? 100 : row.unit === 'Bytes' ? 1_000 : 4,
  });
  const known = data.rows.filter((row) => hasValue(data, row));
  if (title !== undefined) return known.length > 0 ? [{ title, charts: known.map(chart) }] : [];
  return topics
    .map(([topic, heading]) => ({
      title: heading,
      charts: known.filter((row) => row.topic === topic).map(chart),
    }))
    .filter((group) => group.charts.length > 0);
}
