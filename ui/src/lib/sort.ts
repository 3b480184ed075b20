/** Owns sorting lists that the UI holds whole (fleets, aliases, locations). Longer lists are sorted in Rust. */

export type SortChoice = { readonly column: string; readonly descending: boolean };

/** Reads `name` or `-name`. */
export function sortFromText(text: string | undefined, fallback: SortChoice): SortChoice {
  if (!text) return fallback;
  return text.startsWith('-')
    ? { column: text.slice(1), descending: true }
    : { column: text, descending: false };
}

/** Writes `name` or `-name`. */
export const sortToText = (sort: SortChoice): string => `${sort.descending ? '-' : ''}${sort.column}`;

/** A stable sorted copy. Absent values come last in both directions; numbers within text compare as numbers. */
export function sortedBy<Row>(
  rows: readonly Row[],
  value: (row: Row) => string | number | null | undefined,
  descending: boolean,
): Row[] {
  const order = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const left = value(a);
    const right = value(b);
    if (left == null || right == null) return left == null ? (right == null ? 0 : 1) : -1;
    if (typeof left === 'number' && typeof right === 'number') return order * (left - right);
    return order * collator.compare(String(left), String(right));
  });
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
