/** Owns what a column is and how its width becomes a grid track. Knows nothing of rows' meaning. */

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Pixels: the width when fixed, the least width when it grows. */
  readonly width: number;
  /** Share of the space left over; absent means fixed. */
  readonly grow?: number;
  readonly align?: 'left' | 'right';
  readonly sortable?: boolean;
  /** Numbers are most often wanted largest first. */
  readonly firstDescending?: boolean;
  /** The cell as text; a column without it is drawn by the table's `cell` snippet. */
  readonly text?: (row: Row) => string;
  readonly muted?: boolean;
  readonly hint?: string;
}

export type Widths = Readonly<Record<string, number>>;

export const leastWidth = 44;

/** The `grid-template-columns` of the table; widths the person chose win. */
export function gridTracks(columns: readonly Column<never>[], chosen: Widths): string {
  return columns
    .map((column) => {
      const own = chosen[column.key];
      if (own !== undefined) return `${Math.max(leastWidth, own)}px`;
      return column.grow ? `minmax(${column.width}px, ${column.grow}fr)` : `${column.width}px`;
    })
    .join(' ');
}

/** The least width of a row, pixels; below it the table scrolls sideways. */
export function leastRowWidth(columns: readonly Column<never>[], chosen: Widths): number {
  return columns.reduce((sum, column) => sum + (chosen[column.key] ?? column.width), 0);
}

const storageKey = (tableId: string) => `liftdeck.columns.${tableId}`;

/** The widths the person chose for a table; empty when none or unreadable. */
export function loadWidths(tableId: string): Widths {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storageKey(tableId)) ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([, width]) => typeof width === 'number'));
  } catch {
    return {};
  }
}

export function saveWidths(tableId: string, widths: Widths): void {
  localStorage.setItem(storageKey(tableId), JSON.stringify(widths));
}
