/** Owns which screen shows a change, an alert, an attempt or a palette result. */
import { href } from '$live/address.svelte';
import type { ActivityRow, Alert, Change, Found } from '$live/types';

/** The screen of a change; null when it has none of its own. */
export function placeOfChange({ fleetId, kind, region, resource }: Change): string | null {
  if (fleetId !== null) return href(['fleets', fleetId, kind === 'fleetEvent' ? 'events' : 'scaling']);
  switch (kind) {
    case 'alias':
      return href(['aliases', resource]);
    case 'queue':
      return href(['placements', 'queues', region, resource]);
    case 'build':
    case 'script':
      return href(['builds']);
    default:
      return null;
  }
}

/** The screen to open for an alert; null for one that the health panel explains. */
export function placeOfAlert({ facts, region }: Pick<Alert, 'facts' | 'region'>): string | null {
  const target = facts?.target;
  switch (target?.kind) {
    case 'fleetScaling':
      return href(['fleets', target.id, 'scaling']);
    case 'fleetEvents':
      return href(['fleets', target.id, 'events']);
    case 'placements':
      return href(['placements'], {
        ...(target.id && { queue: target.id }),
        ...(target.id && region && { region }),
      });
    case 'tickets':
      return href(['matchmaking', 'tickets'], { configuration: target.id });
    case 'sessions':
      return href(['sessions'], { q: target.id });
    case 'alias':
      return href(['aliases', target.id]);
    case 'health':
    case undefined:
      return null;
  }
}

/** The screen of the resource that an attempt concerned or created; null when there is none. */
export function placeOfAttempt(row: ActivityRow): string | null {
  const { made, resourceId: id, region } = row;
  if (row.operation === 'CreateGameSession') {
    if (made !== null) return href(['sessions', made]);
    return row.fleetId === null ? null : href(['fleets', row.fleetId, 'scaling']);
  }
  switch (row.resourceKind) {
    case 'gameSession':
      return href(['sessions', id]);
    case 'placement':
      return href(['placements', id]);
    case 'alias':
      return made || id ? href(['aliases', made ?? id]) : null;
    case 'fleet':
      return href(['fleets', id, 'scaling']);
    case 'queue':
      return href(['placements', 'queues', region, id]);
    case 'ticket':
      return href(['matchmaking', 'tickets', region, id]);
    case 'script':
      return href(['builds']);
  }
}

/** The screen of a palette result. */
export function placeOfFound(found: Found): string {
  switch (found.kind) {
    case 'fleet':
      return href(['fleets', found.fleetId]);
    case 'alias':
      return href(['aliases', found.aliasId]);
    case 'queue':
      return href(['placements', 'queues', found.region, found.name]);
    case 'gameSession':
      return href(['sessions', found.gameSessionId]);
    case 'player':
      return href(['players', found.playerId]);
    case 'placement':
      return href(['placements', found.placementId]);
    case 'ticket':
      return href(['matchmaking', 'tickets', found.region, found.ticketId]);
    case 'playerSession':
      return href(['players', found.playerId]);
    case 'compute':
      return href(['fleets', found.fleetId, 'instances'], { q: found.computeName });
    case 'build':
      return href(['builds', found.buildId]);
    case 'script':
      return href(['builds', 'scripts', found.scriptId]);
  }
}
