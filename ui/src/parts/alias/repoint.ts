/** Owns what a repoint is among the attempts, and the action that makes one. */
import type { Action, ActivityRow, AliasRow, RoutingStrategy } from '$live/types';

/** An accepted change of where an alias leads: there is something to watch. */
export const isRepoint = (row: ActivityRow): boolean =>
  row.operation === 'UpdateAlias' &&
  row.outcome === 'done' &&
  row.facts.some((fact) => /routing/i.test(fact.label));

/** The routing an alias has now; null when it is not known. */
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
