/** Owns which attempts are repoints, and the action that makes one. */
import type { Action, ActivityRow, AliasRow, RoutingStrategy } from '$live/types';

/** Whether it is an accepted change of routing, which can be watched. */
export const isRepoint = (row: ActivityRow): boolean => row.isRepoint && row.outcome === 'done';

/** The alias's current routing; null when unknown. */
export function routingOf(alias: AliasRow): RoutingStrategy | null {
  if (alias.routing === 'TERMINAL') return { terminal: { message: alias.message ?? '' } };
  return alias.fleetId === null ? null : { simple: { fleet_id: alias.fleetId } };
}

export const sameRouting = (left: RoutingStrategy | null, right: RoutingStrategy | null): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

export const repointAction = (alias: AliasRow, routing: RoutingStrategy): Action => ({
  region: alias.region,
  request: { operation: 'UpdateAlias', aliasId: alias.aliasId, name: null, description: null, routing },
});
