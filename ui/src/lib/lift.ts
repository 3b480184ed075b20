/** Owns the order of a list in which what is on fire stands first: it is lifted once and stays there. */

export type Lifted<Row> = {
  readonly rows: Row[];
  /** The keys of the rows lifted so far, in the order they were. Given back with the next rows. */
  readonly keys: readonly string[];
};

/**
 * The rows with those that are or were on fire first; otherwise in the order given. What is no longer on fire stays,
 * and what catches fire comes after those that did before, so that nothing changes places to and fro.
 */
export function lift<Row>(
  rows: readonly Row[],
  key: (row: Row) => string,
  isOnFire: (row: Row) => boolean,
  before: readonly string[],
): Lifted<Row> {
  const known = new Set(before);
  const keys = [...before, ...rows.filter((row) => isOnFire(row) && !known.has(key(row))).map(key)];
  const place = new Map(keys.map((one, at) => [one, at]));
  const placeOf = (row: Row) => place.get(key(row)) ?? Infinity;
  const first = rows.filter((row) => place.has(key(row))).sort((a, b) => placeOf(a) - placeOf(b));
  return { rows: [...first, ...rows.filter((row) => !place.has(key(row)))], keys };
}
