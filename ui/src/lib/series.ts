/**
 * Owns the binary form of series on the border: little-endian float64
 * `[rows, columns, t0 … , column0 … , column1 …]`, t in epoch seconds, NaN where there is a gap.
 */

export type Series = { readonly t: Float64Array; readonly columns: readonly Float64Array[] };

export const emptySeries: Series = { t: new Float64Array(), columns: [] };

/** Reads the columns without copying them. Throws when the length does not fit the head. */
export function decodeSeries(buffer: ArrayBuffer): Series {
  if (buffer.byteLength < 16 || buffer.byteLength % 8 !== 0) throw new RangeError('A series is cut short.');
  const all = new Float64Array(buffer);
  const rows = all[0] ?? 0;
  const width = all[1] ?? 0;
  if (all.length !== 2 + rows * (width + 1))
    throw new RangeError('A series does not have the length it names.');
  const column = (index: number) => all.subarray(2 + rows * index, 2 + rows * (index + 1));
  return { t: column(0), columns: Array.from({ length: width }, (_, index) => column(index + 1)) };
}

/** Writes what `decodeSeries` reads. */
export function encodeSeries(t: ArrayLike<number>, columns: readonly ArrayLike<number>[]): ArrayBuffer {
  const rows = t.length;
  const all = new Float64Array(2 + rows * (columns.length + 1));
  all[0] = rows;
  all[1] = columns.length;
  all.set(t, 2);
  columns.forEach((column, index) => all.set(column, 2 + rows * (index + 1)));
  return all.buffer;
}

/** The row at or before an instant in epoch seconds; -1 when the series begins later. */
export function rowAt(t: Float64Array, atSeconds: number): number {
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
