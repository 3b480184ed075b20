/** Owns joining our own attempts with the changes that were seen into one history, newest first, each told once. */
import type { ActivityRow, Change } from '$live/types';

export type HistoryEntry =
  | { readonly kind: 'own'; readonly key: string; readonly atMs: number; readonly row: ActivityRow }
  | { readonly kind: 'seen'; readonly key: string; readonly atMs: number; readonly change: Change };

/** A change marked as ours is left out: the attempt that made it says more, and can be undone. */
export function historyOf(own: readonly ActivityRow[], seen: readonly Change[]): HistoryEntry[] {
  const hasOwn = own.some((row) => row.outcome === 'done');
  const entries: HistoryEntry[] = [
    ...own.map((row) => ({ kind: 'own' as const, key: row.id, atMs: row.atMs, row })),
    ...seen
      .filter((change) => !(change.byUs && hasOwn))
      .map((change) => ({ kind: 'seen' as const, key: change.key, atMs: change.atMs, change })),
  ];
  return entries.sort((a, b) => b.atMs - a.atMs);
}
