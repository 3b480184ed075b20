/**
 * Owns the binary form in which the core sends series: little-endian float64
 * `[rows, columns, banded0 … , t0 … , column0 … , column1 … , low0 … , high0 …]`. t is in epoch seconds, NaN
 * is a gap, and banded is 1 for a column with a band and 0 for one without.
 */

/** The lowest and highest values of a column in each of its buckets. */
export type Band = { readonly low: Float64Array; readonly high: Float64Array };

export type Series = {
  readonly t: Float64Array;
  readonly columns: readonly Float64Array[];
  /** One per column; null for columns without a band. */
  readonly bands: readonly (Band | null)[];
};

/** Reads the columns without copying them. Throws if the length does not match the header. */
export function decodeSeries(buffer: ArrayBuffer): Series {
  if (buffer.byteLength < 16 || buffer.byteLength % 8 !== 0)
    throw new RangeError('The series data is truncated.');
  const all = new Float64Array(buffer);
  const rows = all[0] ?? 0;
  const width = all[1] ?? 0;
  const flags = all.subarray(2, 2 + width);
  const head = 2 + width;
  const banded = flags.reduce((sum, flag) => sum + flag, 0);
  if (all.length !== head + rows * (1 + width + 2 * banded))
    throw new RangeError('The series data does not match the length in its header.');
  const column = (index: number) => all.subarray(head + rows * index, head + rows * (index + 1));
  let next = width + 1;
  return {
    t: column(0),
    columns: Array.from({ length: width }, (_, index) => column(index + 1)),
    bands: Array.from(flags, (flag) => (flag ? { low: column(next++), high: column(next++) } : null)),
  };
}

/** Writes what `decodeSeries` reads. */
export function encodeSeries(
  t: ArrayLike<number>,
  columns: readonly ArrayLike<number>[],
  bands: readonly (Band | null)[] = [],
): ArrayBuffer {
  const flags = columns.map((_, index) => (bands[index] ? 1 : 0));
  const grounds = bands.flatMap((band) => (band ? [band.low, band.high] : []));
  const head = [t.length, columns.length, ...flags];
  const all = new Float64Array(head.length + t.length * (1 + columns.length + grounds.length));
  all.set(head);
  [t, ...columns, ...grounds].forEach((part, index) => all.set(part, head.length + t.length * index));
  return all.buffer;
}

/** The row at or before an instant in epoch seconds; -1 when the series begins later. */
export function rowAt(t: ArrayLike<number>, atSeconds: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((t[middle] ?? Infinity) <= atSeconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The last value that is not a gap; null when there is none. */
export function lastValue(values: ArrayLike<number>): number | null {
  for (let index = values.length - 1; index >= 0; index--) {
    const value = values[index];
    if (value !== undefined && !Number.isNaN(value)) return value;
  }
  return null;
}
