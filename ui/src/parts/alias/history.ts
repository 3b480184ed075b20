/** Owns merging our own attempts with the changes seen into one history, newest first, without duplicates. */
import type { ActivityRow, Change } from '$live/types';

export type HistoryEntry =
  | { readonly kind: 'own'; readonly key: string; readonly at: number; readonly row: ActivityRow }
  | { readonly kind: 'seen'; readonly key: string; readonly at: number; readonly change: Change };

/** A change whose attempt is listed is dropped: the attempt says more and can be undone. */
export function historyOf(own: readonly ActivityRow[], seen: readonly Change[]): HistoryEntry[] {
  const told = new Set(own.map((row) => row.id));
  const entries: HistoryEntry[] = [
    ...own.map((row) => ({ kind: 'own' as const, key: row.id, at: row.at, row })),
    ...seen
      .filter(({ byUs }) => !(byUs?.kind === 'activity' && told.has(byUs.id)))
      .map((change) => ({ kind: 'seen' as const, key: change.key, at: change.at, change })),
  ];
  return entries.sort((a, b) => b.at - a.at);
}
