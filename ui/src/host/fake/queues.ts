/** Owns the invented details of queues and of single placements. */
import type { Action, Change, Freshness, PlacementDetail, QueueDetail, Request } from '$host/bindings.gen';
import { fleetById, fleets } from './fleets';
import { anchorMs, fleetLoad } from './load';
import { listPlacements } from './placements';
import { chance, hex } from './random';
import { sessions } from './sessions';
import type { World } from './world';

type Policies = QueueDetail['latencyPolicies'];
const first: Policies = [
  { maximumIndividualPlayerLatencyMs: 60, policyDurationSeconds: 20 },
  { maximumIndividualPlayerLatencyMs: 120, policyDurationSeconds: null },
];
const policies = new Map<string, Policies>();
const histories = new Map<string, Change[]>();

function destination(arn: string, world: World, freshness: Freshness): QueueDetail['destinations'][number] {
  const id = arn.slice(arn.lastIndexOf('/') + 1);
  const alias = world.aliases(freshness).find((one) => one.aliasId === id);
  const fleet = fleetById(alias?.fleetId ?? id);
  return {
    arn, kind: alias ? 'alias' : 'fleet', id, name: alias?.name ?? fleet?.name ?? null, fleetId: fleet?.id ?? null,
    state: fleet?.state ?? 'off', sessions: fleet ? fleetLoad(fleet, world.now()).sessions : 0,
  }; // prettier-ignore
}

const change = (name: string, region: string, more: Partial<Change>): Change => ({
  key: `queue-${name}`, atMs: anchorMs - 108 * 60_000, kind: 'queue', severity: 'info', region, fleetId: null, location: null,
  subject: `queue ${name}`, text: 'timeout', before: '60 s', after: '30 s', byUs: null, link: null, ...more,
}); // prettier-ignore

export function queueDetail(
  name: string,
  region: string,
  world: World,
  freshness: Freshness,
): QueueDetail | null {
  const row = world.queues(freshness).find((one) => one.name === name && one.region === region);
  if (!row) return null;
  const own = fleets.filter((fleet) => fleet.queues.includes(name));
  return {
    name, region, arn: row.arn, timeoutSeconds: row.timeoutSeconds, latencyPolicies: policies.get(name) ?? first,
    destinations: row.destinations.map((one) => destination(one.arn, world, freshness)), priorityOrder: row.priority,
    locationOrder: [...new Set(own.flatMap((fleet) => fleet.locations.map((one) => one.name)))],
    allowedLocations: [], notificationTarget: row.notificationTarget, customEventData: 'arena',
    history: [...(histories.get(name) ?? []), ...(name === 'arena-eu' ? [change(name, region, {})] : [])], freshness,
  }; // prettier-ignore
}

/** What a confirmed change leaves beside what the world keeps of a queue; anything else passes by. */
export function changeQueue({ request, region }: Action, activityId: string, nowMs: number): void {
  if (request.operation !== 'UpdateGameSessionQueue') return;
  if (request.playerLatencyPolicies) policies.set(request.name, request.playerLatencyPolicies);
  const made = change(request.name, region, {
    key: `queue-${request.name}-${nowMs}`, atMs: nowMs, text: 'edited', before: null, after: null,
    byUs: { kind: 'activity', id: activityId },
  }); // prettier-ignore
  histories.set(request.name, [made, ...(histories.get(request.name) ?? [])]);
}

const ends: Record<string, [status: string, text: string]> = {
  PlacementFulfilled: ['FULFILLED', 'A game session was started.'],
  PlacementCancelled: ['CANCELLED', 'Stopped on request.'],
  PlacementTimedOut: ['TIMED_OUT', 'No destination had room in time.'],
  PlacementFailed: ['FAILED', 'An internal error ended the placement.'],
};
const stopped = new Set<string>();
const started = new Map<string, { request: Extract<Request, { operation: 'StartGameSessionPlacement' }>; atMs: number; region: string }>(); // prettier-ignore

/** What a confirmed start or stop does to placements; anything else passes by. */
export function changePlacement({ request, region }: Action, nowMs: number): void {
  if (request.operation === 'StopGameSessionPlacement') stopped.add(request.placementId);
  if (request.operation === 'StartGameSessionPlacement') {
    started.set(request.placementId, { request, region, atMs: nowMs });
  }
}

/** A placement under this id is still waiting, for the screens that show one. */
export const waitingPlacementId = 'waiting-placement';

function waiting(placementId: string, nowMs: number, freshness: Freshness): PlacementDetail | null {
  const own = started.get(placementId);
  if (!own && placementId !== waitingPlacementId) return null;
  const over = stopped.has(placementId);
  const atMs = own?.atMs ?? anchorMs - 21_000;
  return {
    placementId, status: over ? 'CANCELLED' : 'PENDING', queue: own?.request.gameSessionQueueName ?? 'arena-eu',
    region: own?.region ?? 'eu-west-1', gameSessionId: null, gameSessionName: own?.request.gameSessionName ?? 'ranked-harbour',
    startMs: atMs, endMs: over ? nowMs : null, maximumPlayerSessionCount: own?.request.maximumPlayerSessionCount ?? 8,
    ipAddress: null, dnsName: null, port: null,
    players: own
      ? own.request.players.map((one) => ({ playerId: one.playerId, playerSessionId: null, latencies: one.latencies }))
      : people(3, 8),
    events: [
      ...(over ? [{ atMs: nowMs, type: 'PlacementCancelled', text: 'Stopped on request.' }] : []),
      { atMs, type: 'Requested', text: 'Liftdeck saw it PENDING.' },
    ],
    canStop: !over, freshness,
  }; // prettier-ignore
}

const people = (count: number, seed: number) =>
  Array.from({ length: count }, (_, index) => ({
    playerId: `player-${hex(51, (seed * 13 + index) % 900, 8)}`,
    playerSessionId: null as string | null,
    latencies: ['eu-west-1', 'eu-central-1', 'us-east-1'].map((region, at) => ({
      region,
      latencyMs: Math.round(14 + at * 38 + chance(141, seed + index + at) * 30),
    })),
  }));

export function placementDetail(
  placementId: string,
  nowMs: number,
  freshness: Freshness,
): PlacementDetail | null {
  const open = waiting(placementId, nowMs, freshness);
  if (open) return open;
  const all = {
    scope: { queue: null, region: null, destination: null },
    types: [],
    text: placementId,
    range: { fromMs: 0, toMs: nowMs },
    page: { offset: 0, limit: 1 },
  };
  const row = listPlacements(all, [], freshness).rows[0];
  if (!row) return null;
  const [status, text] = ends[row.type] ?? ['FULFILLED', ''];
  const session = sessions.find((one) => one.gameSessionId === row.gameSessionId);
  const startMs = row.startMs ?? 0;
  return {
    placementId: row.placementId, status, queue: row.queue, region: row.region, gameSessionId: row.gameSessionId,
    gameSessionName: session?.name ?? null, startMs, endMs: row.endMs, maximumPlayerSessionCount: 8,
    ipAddress: session?.ipAddress ?? null, dnsName: session?.dnsName ?? null, port: session?.port ?? null,
    players: people(row.players, startMs % 97).map((one, index) => ({
      ...one, playerSessionId: row.gameSessionId ? `psess-${hex(142, index + (startMs % 89), 12)}` : null,
    })),
    events: [{ atMs: row.endMs ?? 0, type: row.type, text }],
    canStop: false, freshness,
  }; // prettier-ignore
}
