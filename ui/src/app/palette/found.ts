/** Owns how the palette describes a search result. */
import { clock } from '$kit/clock.svelte';
import { look } from '$kit/look.svelte';
import { lastSegment } from '$lib/text';
import { moment } from '$lib/time';
import type { Found } from '$live/types';
import { ticketState } from '$parts/matchmaking/ticketStates';

export const foundWord: Record<Found['kind'], string> = {
  fleet: 'fleet',
  alias: 'alias',
  queue: 'queue',
  gameSession: 'session',
  player: 'player',
  placement: 'placement',
  ticket: 'ticket',
  playerSession: 'player',
  compute: 'compute',
  build: 'build',
  script: 'script',
};

/** From when to when a game session ran. */
function span({ creationTime, terminationTime }: Extract<Found, { kind: 'gameSession' }>): string {
  const at = (ms: number) => moment(ms, clock.nowMs, look.zone);
  return terminationTime === null
    ? `since ${at(creationTime)}`
    : `${at(creationTime)} to ${at(terminationTime)}`;
}

/** The name, and a detail that distinguishes it from others of the same name. */
export function foundText(found: Found): { label: string; detail: string } {
  switch (found.kind) {
    case 'fleet':
    case 'queue':
      return { label: found.name, detail: found.region };
    case 'alias':
      return { label: found.name, detail: `${found.aliasId} · ${found.region}` };
    case 'gameSession':
      return {
        label: found.name ?? lastSegment(found.gameSessionId),
        detail: `${found.status} · ${found.fleetName} · ${span(found)}`,
      };
    case 'player':
      return { label: found.playerId, detail: '' };
    case 'placement':
      return {
        label: found.placementId,
        detail: `${found.queue} · ${moment(found.eventTime, clock.nowMs, look.zone)}`,
      };
    case 'ticket':
      return {
        label: found.ticketId,
        detail: `${ticketState(found.state).word} · ${found.configuration} · ${found.region}`,
      };
    case 'playerSession':
      return {
        label: found.playerId,
        detail: `player session in ${lastSegment(found.gameSessionId)}`,
      };
    case 'compute':
      return { label: found.computeName, detail: `${found.fleetName} · ${found.location}` };
    case 'build':
    case 'script':
      return { label: found.name, detail: found.region };
  }
}

/** What GameLift can be asked for, of which the collected data has nothing. */
export type Question = { readonly kind: 'player' | 'playerSession'; readonly id: string };

/**
 * The question a text stands for; null if it is none, or was answered by a hit. GameLift knows whole ids only, so a text
 * with a space, an address or the short beginning of a command is no question.
 */
export function askable(text: string, hits: readonly Found[]): Question | null {
  const id = text.trim();
  if (id.length < 3 || /\s|^[\d.]+(:\d+)?$/.test(id)) return null;
  if (/^psess-./.test(id)) {
    return hits.some((hit) => hit.kind === 'playerSession') ? null : { kind: 'playerSession', id };
  }
  return hits.some((hit) => hit.kind === 'player' && hit.playerId === id) ? null : { kind: 'player', id };
}
