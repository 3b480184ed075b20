/** Owns the plan of a drain: where new game sessions go instead, and which steps to take. */
import type { Action, AliasRow, DrainPlan, FleetRow, QueueRow } from '$live/types';

export type RouteDraft = {
  /** New target fleet by alias id; empty keeps the current one. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Names of queues that lose the fleet as a destination. */
  readonly queues: readonly string[];
  readonly protect: boolean;
  readonly suspendScaling: boolean;
  readonly scaleToZero: boolean;
};

export const emptyRoutes: RouteDraft = {
  aliases: {},
  queues: [],
  protect: true,
  suspendScaling: true,
  scaleToZero: true,
};

/** Aliases whose target is the fleet. */
export const aliasesOf = (aliases: readonly AliasRow[], fleetId: string): AliasRow[] =>
  aliases.filter((row) => row.fleetId === fleetId);

/** Queues that name the fleet itself; through an alias, repointing the alias is enough. */
export const queuesOf = (queues: readonly QueueRow[], fleetId: string): QueueRow[] =>
  queues.filter((row) => row.destinations.some((one) => one.fleetId === fleetId && one.aliasId === null));

/** Destinations of a queue without the fleet. */
export const othersOf = (queue: QueueRow, fleetId: string): string[] =>
  queue.destinations.filter((one) => one.fleetId !== fleetId || one.aliasId !== null).map((one) => one.arn);

/** Fleets an alias could target instead: same Region, ACTIVE. */
export const targetsOf = (fleets: readonly FleetRow[], fleet: FleetRow): FleetRow[] =>
  fleets.filter(
    (row) => row.region === fleet.region && row.fleetId !== fleet.fleetId && row.status === 'ACTIVE',
  );

export function planOf(
  fleet: FleetRow,
  draft: RouteDraft,
  aliases: readonly AliasRow[],
  queues: readonly QueueRow[],
): DrainPlan {
  const repoints = aliases.flatMap((row): Action[] => {
    const target = draft.aliases[row.aliasId];
    if (!target) return [];
    return [
      {
        region: row.region,
        request: {
          operation: 'UpdateAlias',
          aliasId: row.aliasId,
          name: null,
          description: null,
          routing: { simple: { fleet_id: target } },
        },
      },
    ];
  });
  const edits = queues
    .filter((row) => draft.queues.includes(row.name))
    .map((row): Action => ({
      region: row.region,
      request: {
        operation: 'UpdateGameSessionQueue',
        name: row.name,
        timeoutSeconds: null,
        destinations: othersOf(row, fleet.fleetId),
        playerLatencyPolicies: null,
        notificationTarget: null,
      },
    }));
  return {
    region: fleet.region,
    fleetId: fleet.fleetId,
    routes: [...repoints, ...edits],
    protect: draft.protect,
    suspendScaling: draft.suspendScaling,
    scaleToZero: draft.scaleToZero,
  };
}
