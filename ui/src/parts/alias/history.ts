/** Owns joining our own attempts with the changes that were seen into one history, newest first, each told once. */
import type { ActivityRow, Change } from '$live/types';

export type HistoryEntry =
  | { readonly kind: 'own'; readonly key: string; readonly atMs: number; readonly row: ActivityRow }
  | { readonly kind: 'seen'; readonly key: string; readonly atMs: number; readonly change: Change };

/** A change whose attempt is in the list is left out: the attempt says more, and can be undone. */
export function historyOf(own: readonly ActivityRow[], seen: readonly Change[]): HistoryEntry[] {
  const told = new Set(own.map((row) => row.id));
  const entries: HistoryEntry[] = [
    ...own.map((row) => ({ kind: 'own' as const, key: row.id, atMs: row.atMs, row })),
    ...seen
      .filter(({ byUs }) => !(byUs?.kind === 'activity' && told.has(byUs.id)))
      .map((change) => ({ kind: 'seen' as const, key: change.key, atMs: change.atMs, change })),
  ];
  return entries.sort((a, b) => b.atMs - a.atMs);
}
