/**
 * Owns keeping rows in place while others come and go above them, so that a row does not move away while
 * someone reads or clicks it. Identifies rows only by their keys.
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

export interface Steady {
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
}): Steady {
  /**
   * The row to keep in place, taken when rows last arrived: the one under the pointer, or the first visible
   * one of a scrolled table.
   */
  let held: { key: string; index: number; order: unknown } | null = null;
  let pointed = -1;
  /** Pixels that a table at its top was scrolled only to keep a row in place. */
  let lifted = 0;

  function hold(): void {
    const top = table.scroller()?.scrollTop ?? 0;
    const index = pointed >= 0 ? pointed : top > 0 ? Math.ceil(top / table.rowHeight) : -1;
    const row = table.rows()[index];
    held = row === undefined ? null : { key: table.key(row), index, order: table.order() };
  }

  $effect(() => {
    const [rows, order, scroller] = [table.rows(), table.order(), table.scroller()];
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
    point(index) {
      if (index === pointed) return;
      pointed = index;
      hold();
    },
    leave() {
      const scroller = table.scroller();
      if (scroller && lifted > 0 && scroller.scrollTop === lifted) scroller.scrollTop = 0;
      lifted = 0;
      pointed = -1;
      hold();
    },
    scrolled: hold,
  };
}
