/** Owns what an action the invented AWS accepted does to the invented world, and what it makes. */
import type { Action, ActivityRow, AliasRow, RoutingStrategy, SessionRow } from '$host/bindings.gen';
import { fleetById, fleets, type FakeFleet } from './fleets';
import { uuid } from './random';
import { changeSubjects } from './subjects';
import type { World } from './world';

export type Made = Pick<ActivityRow, 'made' | 'madePlayerSessions' | 'link'>;

const nothing: Made = { made: null, madePlayerSessions: [], link: null };
let serial = 0;

function newSession(
  world: World,
  fleet: FakeFleet | undefined,
  own: { token: string; name: string | null; slots: number; location: string | null; creator: string | null },
): Made {
  const home = fleet ?? fleets[0];
  if (!home) return nothing;
  const location = own.location ?? home.locations[0]?.name ?? home.region;
  const id = `arn:aws:gamelift:${location}::gamesession/${home.id}/${own.token}`;
  const row: SessionRow = {
    gameSessionId: id, name: own.name, fleetId: home.id, fleetName: home.name, region: home.region, location,
    status: 'ACTIVATING', statusReason: null, players: 0, maxPlayers: own.slots, createdMs: world.now(), endedMs: null,
    ipAddress: '52.18.4.71', dnsName: `ec2-52-18-4-71.${location}.compute.amazonaws.com`, port: 7_780,
    computeName: 'i-0b51c20f9a7d3e614', creatorId: own.creator, creationPolicy: 'ACCEPT_ALL',
  }; // prettier-ignore
  world.addSession(row);
  setTimeout(() => world.changeSession(id, { status: 'ACTIVE' }), 900);
  return { made: id, madePlayerSessions: [], link: `#/sessions/${encodeURIComponent(id)}` };
}

function routed(row: AliasRow, routing: RoutingStrategy): AliasRow {
  if (routing.terminal)
    return { ...row, routing: 'TERMINAL', fleetId: null, fleetName: null, message: routing.terminal.message };
  const fleet = fleetById(routing.simple.fleet_id);
  return {
    ...row,
    routing: 'SIMPLE',
    fleetId: fleet?.id ?? null,
    fleetName: fleet?.name ?? null,
    message: null,
  };
}

export function apply(action: Action, world: World, activityId: string): Made {
  const { request } = action;
  const fresh = { asOfMs: world.now(), stale: false };
  changeSubjects(action, activityId, world.now());
  switch (request.operation) {
    case 'CreateGameSession': {
      const fleetId = 'fleet' in request.target ? request.target.fleet : world.alias(request.target.alias)?.fleetId;
      return newSession(world, fleetById(fleetId ?? ''), { token: request.idempotencyToken, name: request.name, slots: request.maximumPlayerSessionCount, location: request.location, creator: request.creatorId });
    } // prettier-ignore
    case 'StartGameSessionPlacement': {
      const fleet = fleets.find((one) => one.queues.includes(request.gameSessionQueueName));
      return newSession(world, fleet, { token: request.placementId, name: request.gameSessionName, slots: request.maximumPlayerSessionCount, location: request.priorityOverride?.locationOrder[0] ?? null, creator: null });
    } // prettier-ignore
    case 'UpdateGameSession': {
      const { name, maximumPlayerSessionCount, playerSessionCreationPolicy, protectionPolicy } = request;
      const before = world.sessionDetail(request.gameSessionId, fresh)?.properties ?? [];
      const others = before.filter((one) => !request.gameProperties.some((next) => next.key === one.key));
      world.changeSession(request.gameSessionId, {
        ...(name === null ? {} : { name }),
        ...(maximumPlayerSessionCount === null ? {} : { maxPlayers: maximumPlayerSessionCount }),
        ...(playerSessionCreationPolicy === null ? {} : { creationPolicy: playerSessionCreationPolicy }),
        ...(protectionPolicy === null ? {} : { protection: protectionPolicy }),
        properties: [...others, ...request.gameProperties],
      });
      return nothing;
    }
    case 'TerminateGameSession':
      world.endSession(
        request.gameSessionId,
        request.terminationMode === 'FORCE_TERMINATE' ? 'FORCE_TERMINATED' : 'TRIGGERED_ON_PROCESS_TERMINATE',
      );
      return nothing;
    case 'CreatePlayerSessions': {
      const row = world.session(request.gameSessionId);
      world.changeSession(request.gameSessionId, { players: (row?.players ?? 0) + request.players.length });
      return {
        ...nothing,
        madePlayerSessions: request.players.map(({ playerId }) => ({
          playerId,
          playerSessionId: `psess-${uuid(211, ++serial)}`,
          connection: `${row?.ipAddress ?? ''}:${row?.port ?? ''}`,
        })),
      };
    }
    case 'CreateAlias': {
      const aliasId = `alias-${uuid(223, ++serial)}`;
      const blank: AliasRow = {
        aliasId, name: request.name, region: action.region, description: request.description, routing: 'SIMPLE', fleetId: null,
        fleetName: null, message: null, sessionsOnTarget: 0, updatedMs: world.now(), history: [], freshness: fresh,
      }; // prettier-ignore
      world.setAlias(aliasId, routed(blank, request.routing));
      return { ...nothing, made: aliasId, link: `#/aliases/${aliasId}` };
    }
    case 'UpdateAlias': {
      const row = world.alias(request.aliasId);
      if (!row) return nothing;
      const named = {
        ...row,
        name: request.name ?? row.name,
        description: request.description ?? row.description,
        updatedMs: world.now(),
      };
      world.setAlias(request.aliasId, request.routing ? routed(named, request.routing) : named);
      return nothing;
    }
    case 'DeleteAlias':
      world.setAlias(request.aliasId, null);
      return nothing;
    case 'UpdateFleetCapacity': {
      const rows = world.fleet(request.fleetId, fresh)?.locations ?? [];
      const at = rows.find((row) => row.location === request.location) ?? rows[0];
      if (at)
        world.resize(request.fleetId, at.location, {
          desired: request.desiredInstances ?? at.desired,
          min: request.minSize ?? at.min,
          max: request.maxSize ?? at.max,
        });
      return nothing;
    }
    case 'PutScalingPolicy': {
      const { rule } = request;
      const others = (world.fleet(request.fleetId, fresh)?.policies ?? []).filter((one) => one.name !== request.name);
      world.setPolicies(request.fleetId, [...others, {
        name: request.name, status: 'ACTIVE', location: null, definition: rule,
        ...(rule.targetBased
          ? { kind: 'targetBased', metric: 'PercentAvailableGameSessions', targetValue: rule.targetBased.targetValue, rule: null }
          : { kind: 'ruleBased', metric: rule.ruleBased.metricName, targetValue: null, rule: `${rule.ruleBased.metricName} ${rule.ruleBased.comparisonOperator} ${rule.ruleBased.threshold} for ${rule.ruleBased.evaluationPeriods} min → ${rule.ruleBased.scalingAdjustment}` }),
      }]);
      return nothing;
    } // prettier-ignore
    case 'DeleteScalingPolicy': {
      const all = world.fleet(request.fleetId, fresh)?.policies ?? [];
      world.setPolicies(
        request.fleetId,
        all.filter((one) => one.name !== request.name),
      );
      return nothing;
    }
    case 'StopFleetActions':
    case 'StartFleetActions': {
      const rows = world.fleet(request.fleetId, fresh)?.locations ?? [];
      for (const row of rows)
        if (request.location === null || row.location === request.location)
          world.suspend(request.fleetId, row.location, request.operation === 'StopFleetActions');
      return nothing;
    }
    case 'UpdateFleetAttributes':
      world.protect(request.fleetId, request.newGameSessionProtectionPolicy);
      return nothing;
    case 'UpdateGameSessionQueue':
      world.changeQueue(request.name, {
        ...(request.timeoutSeconds === null ? {} : { timeoutSeconds: request.timeoutSeconds }),
        ...(request.destinations === null
          ? {}
          : {
              destinations: request.destinations.map((arn) => {
                const fleet = fleetById(arn.slice(arn.lastIndexOf('/') + 1));
                return { arn, label: fleet?.name ?? arn, fleetId: fleet?.id ?? null, aliasId: null };
              }),
            }),
      });
      return nothing;
    case 'StartMatchmaking':
    case 'StartMatchBackfill':
      return { ...nothing, made: request.ticketId };
    default:
      return nothing;
  }
}
