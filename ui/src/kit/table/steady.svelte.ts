/**
 * Owns keeping a row where it is while rows come and go above it: what is being read or clicked does not move away
 * under the person. Knows the rows' keys only, not what they show.
 */
import { untrack } from 'svelte';

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

export interface Steady {
  /** The pointer is over the row at `index`; -1 is none of them. */
  point(index: number): void;
  /** The pointer is gone: who leaves a table that stood at its top sees what is newest again. */
  leave(): void;
  /** The table was scrolled. */
  scrolled(): void;
}

/** Must be called while a component is being initialised. A change of `order` is the person's wish and moves rows. */
export function createSteady<Row>(table: {
  scroller: () => HTMLElement | null;
  rows: () => readonly (Row | undefined)[];
  key: (row: Row) => string;
  order: () => unknown;
  /** Pixels. */
  rowHeight: number;
}): Steady {
  /** The row under the pointer, else the first in sight of a scrolled table, as it was when the rows last came. */
  let held: { key: string; index: number; order: unknown } | null = null;
  let pointed = -1;
  /** How far the table was scrolled to hold a row, pixels, while it stood at its top otherwise. */
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
        // The row under the pointer is another index now, though the pointer did not move.
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
