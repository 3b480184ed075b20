/**
 * Owns keeping rows in place while others come and go above them or change their order, so that a row does not
 * move away while someone reads or clicks it. Identifies rows only by their keys.
 */
import { untrack } from 'svelte';

/** How many rows away from its old index to search for a row. */
const reach = 2_000;

/** How many rows the row `anchor` has moved from `index`; 0 when it is no longer near. */
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

/**
 * The rows in the order they had when `ranks` was taken. Rows that are new, or not loaded, keep the place they have
 * now, so only the others change places among themselves.
 */
export function inOrderOf<Row>(
  rows: readonly (Row | undefined)[],
  key: (row: Row) => string,
  ranks: ReadonlyMap<string, number>,
): readonly (Row | undefined)[] {
  const rank = (row: Row | undefined) => (row === undefined ? undefined : ranks.get(key(row)));
  const known = rows.filter((row) => rank(row) !== undefined);
  const held = known.toSorted((a, b) => (rank(a) ?? 0) - (rank(b) ?? 0));
  if (held.every((row, at) => row === known[at])) return rows;
  let next = 0;
  return rows.map((row) => (rank(row) === undefined ? row : held[next++]));
}

export interface Steady<Row> {
  /** The rows to show: while the pointer is over one, those that were there do not change places. */
  readonly rows: readonly (Row | undefined)[];
  /** The pointer is over the row at `index`; -1 for none. */
  point(index: number): void;
  /** The pointer left: a table that was at its top shows the newest rows again. */
  leave(): void;
  /** The table was scrolled. */
  scrolled(): void;
}

/**
 * Must be called while a component is being initialised. A change of `order` is intended, so it moves rows.
 */
export function createSteady<Row>(table: {
  scroller: () => HTMLElement | null;
  rows: () => readonly (Row | undefined)[];
  key: (row: Row) => string;
  order: () => unknown;
  /** Pixels. */
  rowHeight: number;
}): Steady<Row> {
  /**
   * The row to keep in place, taken when rows last arrived: the one under the pointer, or the first visible
   * one of a scrolled table.
   */
  let held: { key: string; index: number; order: unknown } | null = null;
  let pointed = -1;
  /** The order of the rows when the pointer came, by key; a sort chosen since then ends it. */
  let ranks = $state.raw<{ of: ReadonlyMap<string, number>; order: unknown } | null>(null);
  const shown = $derived(
    ranks && ranks.order === table.order() ? inOrderOf(table.rows(), table.key, ranks.of) : table.rows(),
  );

  function rank(): void {
    const found = new Map<string, number>();
    shown.forEach((row, index) => row !== undefined && found.set(table.key(row), index));
    ranks = { of: found, order: table.order() };
  }
  /** Pixels that a table at its top was scrolled only to keep a row in place. */
  let lifted = 0;

  function hold(): void {
    const top = table.scroller()?.scrollTop ?? 0;
    const index = pointed >= 0 ? pointed : top > 0 ? Math.ceil(top / table.rowHeight) : -1;
    const row = shown[index];
    held = row === undefined ? null : { key: table.key(row), index, order: table.order() };
  }

  $effect(() => {
    const [rows, order, scroller] = [shown, table.order(), table.scroller()];
    if (scroller && held && held.order === order) {
      const shift = shiftOf(rows, table.key, held.key, held.index);
      if (shift !== 0) {
        if (scroller.scrollTop === lifted) lifted += shift * table.rowHeight;
        scroller.scrollTop += shift * table.rowHeight;
        // The row under the pointer has a new index, though the pointer did not move.
        if (pointed >= 0) pointed += shift;
      }
    }
    untrack(hold);
  });

  return {
    get rows() {
      return shown;
    },
    point(index) {
      if (index === pointed) return;
      // Taken anew for the row reached, so that rows loaded since have a place too.
      if (index >= 0) rank();
      pointed = index;
      hold();
    },
    leave() {
      const scroller = table.scroller();
      if (scroller && lifted > 0 && scroller.scrollTop === lifted) scroller.scrollTop = 0;
      lifted = 0;
      pointed = -1;
      ranks = null;
      hold();
    },
    scrolled: hold,
  };
}
