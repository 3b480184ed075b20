/**
 * Owns keeping a row where it is while rows come and go above it: what is being read or clicked does not move away
 * under the person. Knows the rows' keys only, not what they show.
 */

/** How far a row is looked for, in rows, from where it was. */
const reach = 2_000;

/** By how many rows the row `anchor` moved that was at `index`; 0 when it is no longer near. */
export function shiftOf<Row>(
  rows: readonly (Row | undefined)[],
  key: (row: Row) => string,
  anchor: string,
  index: number,
): number {
  const is = (at: number): boolean => {
    const row = rows[at];
    return row !== undefined && key(row) === anchor;
  };
  for (let step = 0; step <= reach; step++) {
    if (is(index + step)) return step;
    if (is(index - step)) return -step;
  }
  return 0;
}
