/** Owns the outline of a spark line: SVG path text for the line, the area under it, and a band behind it. */

type Values = readonly (number | null)[];
/** The lower and upper ends of a band, one each per value; null where it is unknown. */
export type SparkBand = { readonly low: Values; readonly high: Values };
type Paths = { line: string; area: string; band: string };

const isKnown = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined && !Number.isNaN(value);

/** Values spread over `width`; `top` is the value at the upper edge. Null and NaN break the line. */
export function sparkPaths(
  values: Values,
  width: number,
  height: number,
  top?: number,
  band?: SparkBand,
): Paths {
  const known = [...values, ...(band?.low ?? []), ...(band?.high ?? [])].filter(isKnown);
  const highest = known.length > 0 ? Math.max(...known) : 0;
  const lowest = known.length > 0 ? Math.min(...known) : 0;
  // Without a given top the line fills the height, with a little room below but never below zero.
  const room = (highest - lowest) * 0.5;
  const ceiling = top ?? highest + room * 0.15;
  const floor = top === undefined && room > 0 ? Math.max(0, lowest - room) : 0;
  const x = (index: number) => (values.length < 2 ? 0 : (index / (values.length - 1)) * width).toFixed(1);
  const y = (value: number) =>
    (height - 1 - (ceiling > floor ? (value - floor) / (ceiling - floor) : 0) * (height - 2)).toFixed(1);
  let line = '';
  let area = '';
  let start: string | null = null;
  const close = () => {
    if (start !== null) area += `V${height}H${start}Z`;
    start = null;
  };
  values.forEach((value, index) => {
    if (!isKnown(value)) {
      close();
      return;
    }
    const step = `${start === null ? 'M' : 'L'}${x(index)} ${y(value)}`;
    if (start === null) start = x(index);
    line += step;
    area += step;
  });
  close();
  return { line, area, band: band ? bandPath(band, x, y) : '' };
}

/** One closed outline for each stretch in which both ends are known. */
function bandPath(
  { low, high }: SparkBand,
  x: (index: number) => string,
  y: (value: number) => string,
): string {
  let path = '';
  let there = '';
  let back = '';
  const close = () => {
    if (there !== '') path += `M${there.slice(1)}${back}Z`;
    there = back = '';
  };
  high.forEach((top, index) => {
    const bottom = low[index];
    if (!isKnown(top) || !isKnown(bottom)) {
      close();
      return;
    }
    there += `L${x(index)} ${y(top)}`;
    back = `L${x(index)} ${y(bottom)}${back}`;
  });
  close();
  return path;
}
