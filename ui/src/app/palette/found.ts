/** Owns how the palette describes a search result. */
import { clock } from '$kit/clock.svelte';
import { look } from '$kit/look.svelte';
import { lastSegment } from '$lib/text';
import { moment } from '$lib/time';
import type { Found } from '$live/types';

export const foundWord: Record<Found['kind'], string> = {
  fleet: 'fleet',
  alias: 'alias',
  queue: 'queue',
  gameSession: 'session',
  player: 'player',
  placement: 'placement',
};

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
        detail: `${found.status} · ${found.fleetName}`,
      };
    case 'player':
      return { label: found.playerId, detail: '' };
    case 'placement':
      return {
        label: found.placementId,
        detail: `${found.queue} · ${moment(found.eventTime, clock.nowMs, look.zone)}`,
      };
  }
}
