/** Owns finding the game session an attempt created: directly, or through its placement. */
import type { ActivityRow, Calls } from '$live/types';

const isSession = (id: string | null): id is string => id?.includes('gamesession/') ?? false;

/** The game session's ARN; null while there is none. */
export async function sessionMade(row: ActivityRow, calls: Calls): Promise<string | null> {
  if (isSession(row.made)) return row.made;
  if (row.resourceKind === 'gameSession' && isSession(row.resourceId)) return row.resourceId;
  if (row.operation !== 'StartGameSessionPlacement' || row.effect?.state !== 'seen') return null;
  return (await calls.placementGet(row.resourceId)).gameSessionId;
}
