/**
 * Owns the bands behind a line: from the lowest to the highest value in each bucket, which a mean would hide, and from
 * the lowest to the highest value that is usual.
 */
import type uPlot from 'uplot';
import { ink } from './ink';
import type { ChartSeries } from './types';

/** First and last row, inclusive, of a stretch without a gap. */
export type Run = readonly [first: number, last: number];

const shown = (one: ChartSeries) => !one.quiet && one.band;

/** Stretches in which the band is known. */
export function bandRuns(low: ArrayLike<number>): Run[] {
  const runs: Run[] = [];
  let first = -1;
  for (let row = 0; row <= low.length; row++) {
    const known = row < low.length && !Number.isNaN(low[row]);
    if (known && first < 0) first = row;
    if (known || first < 0) continue;
    runs.push([first, row - 1]);
    first = -1;
  }
  return runs;
}

/** The highest value of all bands on one of the two scales; 0 without bands. */
export function highestOf(series: readonly ChartSeries[], right: boolean): number {
  let highest = 0;
  for (const one of series) {
    if ((one.right ?? false) !== right) continue;
    const ends = [shown(one) ? one.band?.high : null, one.usual?.high];
    // A gap is NaN, which is never greater.
    for (const end of ends) for (const value of Array.from(end ?? [])) if (value > highest) highest = value;
  }
  return highest;
}

/** Draws what is usual, from point to point: it does not jump at the edge of a bucket. */
export function drawUsual(plot: uPlot, series: readonly ChartSeries[]): void {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, height);
  plot.ctx.clip();
  plot.ctx.fillStyle = ink('--faint', 0.2);
  for (const one of series) {
    const { usual } = one;
    if (!usual) continue;
    const x = (row: number) => plot.valToPos(usual.t[row] ?? 0, 'x', true);
    const y = (value = 0) => plot.valToPos(value, one.right ? 'right' : 'left', true);
    for (const [first, last] of bandRuns(usual.low)) {
      plot.ctx.beginPath();
      for (let row = first; row <= last; row++) plot.ctx.lineTo(x(row), y(usual.high[row]));
      for (let row = last; row >= first; row--) plot.ctx.lineTo(x(row), y(usual.low[row]));
      plot.ctx.fill();
    }
  }
  plot.ctx.restore();
}

export function drawBands(plot: uPlot, series: readonly ChartSeries[]): void {
  const { left, top, width, height } = plot.bbox;
  const t = plot.data[0];
  const bucket = (t[1] ?? 0) - (t[0] ?? 0);
  plot.ctx.save();
  plot.ctx.beginPath();
  plot.ctx.rect(left, top, width, height);
  plot.ctx.clip();
  for (const one of series) {
    const band = shown(one);
    if (!band) continue;
    const x = (seconds: number) => plot.valToPos(seconds, 'x', true);
    const y = (value = 0) => plot.valToPos(value, one.right ? 'right' : 'left', true);
    plot.ctx.fillStyle = ink(one.color, 0.4);
    for (const [first, last] of bandRuns(band.low)) {
      plot.ctx.beginPath();
      // Drawn as wide as the bucket, or a spike in one bucket would be a hairline.
      for (let row = first; row <= last; row++) {
        plot.ctx.lineTo(x(t[row] ?? 0), y(band.high[row]));
        plot.ctx.lineTo(x((t[row] ?? 0) + bucket), y(band.high[row]));
      }
      for (let row = last; row >= first; row--) {
        plot.ctx.lineTo(x((t[row] ?? 0) + bucket), y(band.low[row]));
        plot.ctx.lineTo(x(t[row] ?? 0), y(band.low[row]));
      }
      plot.ctx.fill();
    }
  }
  plot.ctx.restore();
}
