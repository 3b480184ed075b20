/** Owns how a comparison is drawn on a lane: what is usual as an area, an earlier day as a dashed line. */
import type { ChartSeries } from '$kit/chart/types';
import type { Compared } from '$live/compare.svelte';
import type { SeriesName } from '$live/types';

/** The lane's series with the comparison added to those named. */
export function withComparison(
  lane: readonly ChartSeries[],
  t: ArrayLike<number>,
  compared: Compared | null,
  names: readonly SeriesName[],
): ChartSeries[] {
  if (!compared) return [...lane];
  return lane.flatMap((one) => {
    const name = names.find((each) => each === one.key);
    if (!name) return [one];
    const earlier = compared.earlier(name, t);
    if (!earlier) return [{ ...one, usual: compared.usual(name) }];
    const line: ChartSeries = {
      key: `${one.key} ${compared.kind}`,
      label: `${one.label} ${compared.label}`,
      color: one.color,
      style: 'line',
      dashed: true,
      right: one.right,
      format: one.format,
      axisFormat: one.axisFormat,
      values: earlier,
    };
    return [one, line];
  });
}
