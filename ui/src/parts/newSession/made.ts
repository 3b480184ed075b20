/** Owns finding the game session an attempt made: its own id, or the one its placement ended with. */
import type { ActivityRow } from '$live/types';
import { wire } from '$live/wire';

const isSession = (id: string | null): id is string => id?.includes('gamesession/') ?? false;

/** The ARN of the game session; null while there is none. */
export async function sessionMade(row: ActivityRow): Promise<string | null> {
  if (isSession(row.made)) return row.made;
  const linked = /^#\/sessions\/([^?]+)/.exec(row.link ?? '')?.[1];
  if (linked && isSession(decodeURIComponent(linked))) return decodeURIComponent(linked);
  if (row.operation !== 'StartGameSessionPlacement' || row.effect?.state !== 'seen') return null;
  return (await wire().placementGet(row.resourceId)).gameSessionId;
}
