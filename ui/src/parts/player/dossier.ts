/** Owns the line that sums up a player: where the player is, and what went wrong. */
import { counted } from '$lib/text';
import type { DossierSession, PlayerDossier } from '$live/types';

/** The player session that holds a slot now; null if there is none. */
export function playingNow({ sessions }: Pick<PlayerDossier, 'sessions'>): DossierSession | null {
  const holds = ({ playerSession: { status } }: DossierSession) =>
    status === 'ACTIVE' || status === 'RESERVED';
  return sessions.find(holds) ?? null;
}

/** The sum of a player's record, in a line. */
export function summed(dossier: PlayerDossier): string {
  const { sessions, placements, tickets, total } = dossier;
  const cutOff = sessions.filter((one) => one.cutOff !== null).length;
  const failed = placements.filter((one) => one.why !== null).length;
  const lost = tickets.filter(({ state }) => state === 'FAILED' || state === 'TIMED_OUT').length;
  return [
    counted(total, 'player session'),
    cutOff > 0 && `cut off ${cutOff === 1 ? 'once' : `${cutOff} times`}`,
    failed > 0 && counted(failed, 'failed placement'),
    lost > 0 && counted(lost, 'failed ticket'),
  ]
    .filter(Boolean)
    .join(' · ');
}
