/** Owns the definition of a column, which columns are shown, and how widths become grid tracks. */

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Pixels: the width when fixed, the least width when it grows. */
  readonly width: number;
  /** Share of the remaining space; fixed when absent. */
  readonly grow?: number;
  readonly align?: 'left' | 'right';
  readonly sortable?: boolean;
  /** Sorts descending on the first click, as numbers usually do. */
  readonly firstDescending?: boolean;
  /** The cell as text; a column without it is drawn by the table's `cell` snippet. */
  readonly text?: (row: Row) => string;
  readonly muted?: boolean;
  readonly hint?: string;
  /** Dropped when the table is too narrow, highest number first; never when absent. */
  readonly yields?: number;
}

type Columns = readonly Column<never>[];

/** The operator's choices for a table, by column. */
export type Chosen = {
  /** Pixels. */
  readonly widths: Readonly<Record<string, number>>;
  /** Whether a column is always or never shown. If absent, it is shown when it fits. */
  readonly shown: Readonly<Record<string, boolean>>;
};

export const nothingChosen: Chosen = { widths: {}, shown: {} };

export const leastWidth = 44;

/** The `grid-template-columns` of the table; chosen widths win. */
export function gridTracks(columns: Columns, { widths }: Chosen): string {
  return columns
    .map((column) => {
      const own = widths[column.key];
      if (own !== undefined) return `${Math.max(leastWidth, own)}px`;
      return column.grow ? `minmax(${column.width}px, ${column.grow}fr)` : `${column.width}px`;
    })
    .join(' ');
}

/** The least width of a row, pixels; below it the table scrolls sideways. */
export function leastRowWidth(columns: Columns, { widths }: Chosen): number {
  return columns.reduce((sum, column) => sum + (widths[column.key] ?? column.width), 0);
}

/** The columns that a table of `room` pixels shows, in order: the chosen ones, and those that fit. */
export function shownColumns(columns: Columns, chosen: Chosen, room: number): Columns {
  let shown = columns.filter((column) => chosen.shown[column.key] !== false);
  const yielding = shown
    .filter((column) => column.yields !== undefined && chosen.shown[column.key] !== true)
    .sort((a, b) => (b.yields ?? 0) - (a.yields ?? 0));
  for (const column of yielding) {
    if (leastRowWidth(shown, chosen) <= room) break;
    shown = shown.filter((other) => other !== column);
  }
  return shown;
}

const storageKey = (tableId: string) => `liftdeck.columns.${tableId}`;

function only<Value>(read: unknown, is: (value: unknown) => value is Value): Record<string, Value> {
  if (typeof read !== 'object' || read === null) return {};
  return Object.fromEntries(Object.entries(read).filter((entry): entry is [string, Value] => is(entry[1])));
}

/** The choices stored for a table; none when missing or unreadable. */
export function loadChosen(tableId: string): Chosen {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(storageKey(tableId)) ?? '{}');
    if (typeof read !== 'object' || read === null) return nothingChosen;
    const { widths, shown } = read as { widths?: unknown; shown?: unknown };
    return {
      widths: only(widths, (value) => typeof value === 'number'),
      shown: only(shown, (value) => typeof value === 'boolean'),
    };
  } catch {
    return nothingChosen;
  }
}

export function saveChosen(tableId: string, chosen: Chosen): void {
  localStorage.setItem(storageKey(tableId), JSON.stringify(chosen));
}
