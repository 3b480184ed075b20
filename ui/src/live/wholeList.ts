/** Owns reading a long list to its end, page by page, where all of it is needed at once. */
import type { Page } from './types';

/** The most rows that one answer holds. */
const most = 1_000;

/** Every row once. What comes or goes while it is read may be missing. */
export async function wholeList<Row>(
  ask: (page: Page) => Promise<{ rows: Row[]; total: number }>,
  key: (row: Row) => string,
): Promise<Row[]> {
  const found = new Map<string, Row>();
  for (let offset = 0, total = Infinity; offset < total;) {
    const answer = await ask({ offset, limit: most });
    for (const row of answer.rows) found.set(key(row), row);
    if (answer.rows.length === 0) break;
    offset += answer.rows.length;
    total = answer.total;
  }
  return [...found.values()];
}
