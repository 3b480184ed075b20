/** Owns turning a chart's description into the library's options. */
import type uPlot from 'uplot';
import { timeTicks } from '$lib/ticks';
import type { Zone } from '$lib/time';
import { drawBands, drawUsual, highestOf } from './bands';
import { ink } from './ink';
import {
  gutters,
  timeAxis,
  type ChartGround,
  type ChartRange,
  type ChartSeries,
  type ChartSpan,
} from './types';

export type PlotInput = {
  series: readonly ChartSeries[];
  grounds: readonly ChartGround[];
  /** The current series; `series` above is used only for its styling. */
  latest: () => readonly ChartSeries[];
  spans: () => readonly ChartSpan[];
  range: () => ChartRange;
  zone: Zone;
  width: number;
  height: number;
  groupKey: string;
  /** Whether the chart has its own time axis; stacked charts share one below. */
  times: boolean;
  /** The scale reaches at least this value. */
  atLeast: number;
  onCursor: (row: number | null) => void;
  onBrush: (range: ChartRange) => void;
  onReset: () => void;
};

/** Pixels for half of the last time label. */
const lastLabel = 16;

const wholeSteps = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((power) =>
  [1, 2, 2.5, 5].map((one) => one * 10 ** power).filter(Number.isInteger),
);

/** Rows in the library's form: a gap is null, which breaks a line. */
export function plotRows(t: ArrayLike<number>, series: readonly ChartSeries[]): uPlot.AlignedData {
  const columns = series.map((one) =>
    Array.from(one.values, (value) => (Number.isNaN(value) || (one.hidesZero && value === 0) ? null : value)),
  );
  return [Array.from(t), ...columns];
}

export function plotOptions(Plot: typeof uPlot, input: PlotInput): uPlot.Options {
  const font = `${getComputedStyle(document.documentElement).getPropertyValue('--size-1')} ${getComputedStyle(document.body).fontFamily}`;
  const ticks = (plot: uPlot) => {
    const { from, to } = input.range();
    // A chart with its own axis is small and needs denser labels.
    const most = Math.max(2, Math.floor(plot.bbox.width / devicePixelRatio / (input.times ? 60 : 96)));
    return timeTicks(from, to, most, input.zone);
  };
  const side = (scale: string): uPlot.Axis => {
    const own = input.series.find((one) => (one.right ? 'right' : 'left') === scale);
    // Stacked charts must line up, with or without a right scale; a small chart stands alone and need not.
    const right = input.times && !own ? lastLabel : gutters.right;
    return {
      scale,
      side: scale === 'right' ? 1 : 3,
      size: scale === 'right' ? right : gutters.left,
      gap: 6,
      space: 34,
      // Counts are whole numbers, so ticks are too and need no rounding.
      incrs: wholeSteps,
      font,
      show: true,
      stroke: ink(own?.right ? own.color : '--faint'),
      grid: { show: scale === 'left', stroke: ink('--line'), width: 1 },
      ticks: { show: false },
      values: (_plot, values) =>
        values.map((value) => (own && value !== null ? (own.axisFormat ?? own.format)(value) : '')),
    };
  };
  const grown = (high: number | null, right: boolean): [number, number] => {
    // A band's top must not be cut off.
    const top = Math.max(high ?? 0, highestOf(input.latest(), right));
    return [0, Math.max(input.atLeast, top > 0 ? top * 1.12 : 1)];
  };
  return {
    width: input.width,
    height: input.height,
    padding: [8, 0, 4, 0],
    legend: { show: false },
    scales: {
      x: { time: true, range: () => [input.range().from / 1000, input.range().to / 1000] },
      left: { range: (_plot, _low, high) => grown(high, false) },
      right: { range: (_plot, low, high) => (low === null ? [0, 1] : grown(high, true)) },
    },
    axes: [
      {
        size: input.times ? timeAxis : 0,
        space: 90,
        gap: 4,
        font,
        stroke: ink('--faint'),
        splits: (plot) => ticks(plot).map((tick) => tick.atMs / 1000),
        values: (plot) => (input.times ? ticks(plot).map((tick) => tick.label) : []),
        grid: { stroke: ink('--line'), width: 1, dash: [2, 4] },
        ticks: { show: false },
      },
      side('left'),
      side('right'),
    ],
    series: [{}, ...input.series.map((one) => plotSeries(Plot, one))],
    bands: input.grounds.map((ground) => ({
      series: [at(input.series, ground.upper), at(input.series, ground.lower)],
      fill: ink(ground.color, 0.07),
    })),
    cursor: {
      sync: { key: input.groupKey, setSeries: false },
      drag: { x: true, y: false, setScale: false },
      points: { size: 6, width: 1 },
      y: false,
      bind: {
        dblclick: () => () => {
          input.onReset();
          return null;
        },
      },
    },
    hooks: {
      drawClear: [
        (plot) => {
          drawSpans(plot, input.spans());
          drawUsual(plot, input.latest());
          drawBands(plot, input.latest());
        },
      ],
      setCursor: [(plot) => input.onCursor(plot.cursor.idx ?? null)],
      setSelect: [(plot) => brush(plot, input)],
    },
  };
}

const at = (series: readonly ChartSeries[], key: string) => series.findIndex((one) => one.key === key) + 1;

function plotSeries(Plot: typeof uPlot, one: ChartSeries): uPlot.Series {
  const stepped = one.style === 'step' || one.style === 'stepArea';
  const filled = one.style === 'area' || one.style === 'stepArea' || one.style === 'bars';
  const path = one.style === 'bars' ? Plot.paths.bars?.({ size: [0.9, 40, 1], align: 1 }) : undefined;
  return {
    label: one.label,
    scale: one.right ? 'right' : 'left',
    stroke: ink(one.color),
    width: one.dashed ? 1 : 1.6,
    dash: one.dashed ? [5, 4] : undefined,
    fill: filled ? ink(one.color, 0.15) : undefined,
    paths: path ?? (stepped ? Plot.paths.stepped?.({ align: 1 }) : Plot.paths.linear?.()),
    points: { show: false },
    spanGaps: false,
  };
}

function drawSpans(plot: uPlot, spans: readonly ChartSpan[]): void {
  const { left, top, width, height } = plot.bbox;
  for (const span of spans) {
    const from = Math.max(left, plot.valToPos(span.from / 1000, 'x', true));
    const to = Math.min(left + width, plot.valToPos(span.to / 1000, 'x', true));
    if (!(to > from)) continue;
    plot.ctx.fillStyle = ink(span.color, 0.12);
    plot.ctx.fillRect(from, top, to - from, height);
  }
}

/** Pixels; a shorter drag is a slip, not a zoom. */
const leastBrush = 6;

function brush(plot: uPlot, input: PlotInput): void {
  const { left, width } = plot.select;
  if (width === 0) return;
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  if (width < leastBrush) return;
  input.onBrush({
    from: Math.round(plot.posToVal(left, 'x') * 1000),
    to: Math.round(plot.posToVal(left + width, 'x') * 1000),
  });
}
