/** Owns the outline of a spark line: SVG path text for the line and for the area under it. */

type Paths = { line: string; area: string };

/** Values spread over `width`; `top` is the value at the upper edge. Null and NaN break the line. */
export function sparkPaths(
  values: readonly (number | null)[],
  width: number,
  height: number,
  top?: number,
): Paths {
  const known = values.filter((value): value is number => value !== null && !Number.isNaN(value));
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
    if (value === null || Number.isNaN(value)) {
      close();
      return;
    }
    const step = `${start === null ? 'M' : 'L'}${x(index)} ${y(value)}`;
    if (start === null) start = x(index);
    line += step;
    area += step;
  });
  close();
  return { line, area };
}
