/**
 * Owns the order in which differences stand: once shown, a value stays where it is while the same is compared, though the
 * figures that rank it go on changing. What comes later stands below.
 */

/** The rows in the order of the keys they had before; those that are new come last, as they are. */
export function inOrderOf<Row>(
  rows: readonly Row[],
  key: (row: Row) => string,
  before: readonly string[],
): Row[] {
  const place = new Map(before.map((one, at) => [one, at]));
  const at = (row: Row) => place.get(key(row)) ?? before.length;
  return rows
    .map((row, index) => ({ row, index }))
    .sort((a, b) => at(a.row) - at(b.row) || a.index - b.index)
    .map(({ row }) => row);
}

/** Keeps the order of what is compared; `of` names that, and another one begins anew. */
export function createStillOrder<Row>(key: (row: Row) => string) {
  let kept: { of: string; keys: string[] } | null = null;
  return (of: string, rows: readonly Row[]): Row[] => {
    const still = inOrderOf(rows, key, kept?.of === of ? kept.keys : []);
    kept = { of, keys: still.map(key) };
    return still;
  };
}
