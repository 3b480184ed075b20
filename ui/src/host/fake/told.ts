/** Owns what an action means in the invented world: its title, its facts before and after, whom it hits, its undo. */
import type {
  Action,
  ActivityRow,
  FactChange,
  Request,
  ResourceKind,
  RoutingStrategy,
} from '$host/bindings.gen';
import { fleetById } from './fleets';
import type { World } from './world';

export type Told = {
  title: string;
  kind: ResourceKind;
  id: string;
  name: string | null;
  fleetId: string | null;
  facts: FactChange[];
  /** The game sessions it hits. */
  hits: { gameSessionId: string; players: number }[];
  undo: Action[] | null;
  undoText: string;
  link: string | null;
  /** What a production connection asks to be typed instead of the connection's name. */
  typed: string | null;
};

const text = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);
const fact = (label: string, before: unknown, after: unknown): FactChange => ({
  label,
  before: text(before),
  after: text(after),
});
const fresh = (world: World) => ({ asOfMs: world.now(), stale: false });
const sessionLink = (id: string) => `#/sessions/${encodeURIComponent(id)}`;
const policyText = (value: string | null) => (value === 'DENY_ALL' ? 'denied' : 'accepted');

export function routingText(routing: RoutingStrategy): string {
  if (routing.terminal) return `TERMINAL: ${routing.terminal.message}`;
  return `${fleetById(routing.simple.fleet_id)?.name ?? routing.simple.fleet_id} (SIMPLE)`;
}

/** Reads the present before `action`; call it before applying. */
export function tell(action: Action, world: World): Told {
  const request = action.request;
  const base = {
    name: null,
    fleetId: null,
    facts: [] as FactChange[],
    hits: [] as Told['hits'],
    undo: null,
    undoText: 'GameLift cannot take this back.',
    link: null,
    typed: null,
  };
  const again = (next: Request): Action => ({ region: action.region, request: next });
  const session = 'gameSessionId' in request ? world.session(request.gameSessionId) : undefined;
  const ofSession = session
    ? {
        name: session.name,
        fleetId: session.fleetId,
        link: sessionLink(session.gameSessionId),
        id: session.gameSessionId,
        kind: 'gameSession' as const,
      }
    : { id: '', kind: 'gameSession' as const };
  const fleet = 'fleetId' in request ? world.fleet(request.fleetId, fresh(world)) : null;
  const ofFleet = {
    kind: 'fleet' as const,
    id: fleet?.row.fleetId ?? '',
    name: fleet?.row.name ?? null,
    fleetId: fleet?.row.fleetId ?? null,
    link: fleet ? `#/fleets/${fleet.row.fleetId}/scaling` : null,
  };
  const fleetName = fleet?.row.name ?? '';

  switch (request.operation) {
    case 'CreateGameSession': {
      const target =
        request.target.fleet !== undefined
          ? (fleetById(request.target.fleet)?.name ?? request.target.fleet)
          : (world.alias(request.target.alias)?.name ?? request.target.alias);
      return {
        ...base, kind: 'gameSession', id: '', title: `Create a game session on ${target}`, name: request.name,
        facts: [fact('Game session', null, request.name ?? 'without a name'), fact('Player slots', null, request.maximumPlayerSessionCount), fact('Location', null, request.location ?? 'home Region of the fleet')],
        undoText: 'It can be terminated.',
      }; // prettier-ignore
    }
    case 'StartGameSessionPlacement':
      return {
        ...base, kind: 'placement', id: request.placementId, title: `Place a game session by queue ${request.gameSessionQueueName}`, name: request.gameSessionName,
        facts: [fact('Placement', null, 'PENDING'), fact('Player slots', null, request.maximumPlayerSessionCount), fact('Players reserved', null, request.players.length)],
        undoText: 'While PENDING it can be stopped.',
      }; // prettier-ignore
    case 'StopGameSessionPlacement':
      return { ...base, kind: 'placement', id: request.placementId, title: 'Stop a placement', facts: [fact('Status', 'PENDING', 'CANCELLED')] }; // prettier-ignore
    case 'UpdateGameSession': {
      const detail = session ? world.sessionDetail(session.gameSessionId, fresh(world)) : null;
      const facts: FactChange[] = [];
      if (request.name !== null) facts.push(fact('Name', session?.name, request.name));
      if (request.maximumPlayerSessionCount !== null)
        facts.push(fact('Player slots', session?.maxPlayers, request.maximumPlayerSessionCount));
      if (request.playerSessionCreationPolicy !== null)
        facts.push(
          fact('New players', policyText(session?.creationPolicy ?? null), policyText(request.playerSessionCreationPolicy)),
        ); // prettier-ignore
      if (request.protectionPolicy !== null)
        facts.push(fact('Protection', detail?.protection, request.protectionPolicy));
      for (const one of request.gameProperties) {
        const was = detail?.properties.find((other) => other.key === one.key)?.value;
        facts.push(fact(`Property ${one.key}`, was, one.value));
      }
      const added = request.gameProperties.some(
        (one) => !detail?.properties.some((other) => other.key === one.key),
      );
      return {
        ...base, ...ofSession, title: `Update game session ${session?.name ?? ''}`, facts,
        hits: session ? [session] : [],
        undo: [again({
          ...request,
          name: request.name && (session?.name ?? null),
          maximumPlayerSessionCount: request.maximumPlayerSessionCount && (session?.maxPlayers ?? null),
          playerSessionCreationPolicy: request.playerSessionCreationPolicy && ((session?.creationPolicy ?? 'ACCEPT_ALL') as 'ACCEPT_ALL'),
          protectionPolicy: request.protectionPolicy && ((detail?.protection ?? 'NoProtection') as 'NoProtection'),
          gameProperties: request.gameProperties.flatMap((one) => detail?.properties.filter((other) => other.key === one.key) ?? []),
        })],
        undoText: added ? 'Everything but the new property, which GameLift never deletes.' : 'Every value goes back to what it was.',
      }; // prettier-ignore
    }
    case 'TerminateGameSession': {
      const forced = request.terminationMode === 'FORCE_TERMINATE';
      return {
        ...base, ...ofSession, title: `${forced ? 'Terminate at once' : 'Terminate'} game session ${session?.name ?? ''}`,
        facts: [fact('Status', session?.status, 'TERMINATED'), fact('Players', session?.players, 0)],
        hits: session ? [session] : [],
        undoText: 'An ended game session cannot be brought back.',
      }; // prettier-ignore
    }
    case 'CreatePlayerSessions':
      return {
        ...base, ...ofSession, title: `Reserve ${request.players.length === 1 ? 'a slot' : `${request.players.length} slots`} in ${session?.name ?? 'the game session'}`,
        facts: [fact('Players and reservations', session?.players, (session?.players ?? 0) + request.players.length)],
        undoText: 'A reservation ends by itself after 60 seconds.',
      }; // prettier-ignore
    case 'CreateAlias':
      return { ...base, kind: 'alias', id: '', name: request.name, title: `Create alias ${request.name}`, facts: [fact('Routing', null, routingText(request.routing))], undoText: 'It can be deleted.' }; // prettier-ignore
    case 'UpdateAlias': {
      const row = world.alias(request.aliasId);
      const now: RoutingStrategy = row?.fleetId
        ? { simple: { fleet_id: row.fleetId } }
        : { terminal: { message: row?.message ?? '' } };
      const facts: FactChange[] = [];
      if (request.routing) facts.push(fact('Routing', routingText(now), routingText(request.routing)));
      if (request.name !== null) facts.push(fact('Name', row?.name, request.name));
      if (request.description !== null)
        facts.push(fact('Description', row?.description, request.description));
      const hits = request.routing
        ? world.sessions.filter((one) => one.fleetId === row?.fleetId && one.endedMs === null)
        : [];
      return {
        ...base, kind: 'alias', id: request.aliasId, name: row?.name ?? null, fleetId: row?.fleetId ?? null, facts, hits,
        title: request.routing ? `Repoint alias ${row?.name ?? ''}` : `Edit alias ${row?.name ?? ''}`,
        undo: [again({ ...request, name: request.name && (row?.name ?? null), description: request.description && (row?.description ?? null), routing: request.routing && now })],
        undoText: 'Exactly the former routing, at any later time.', link: `#/aliases/${request.aliasId}`,
        typed: row?.name ?? null,
      }; // prettier-ignore
    }
    case 'DeleteAlias': {
      const row = world.alias(request.aliasId);
      return {
        ...base, kind: 'alias', id: request.aliasId, name: row?.name ?? null, title: `Delete alias ${row?.name ?? ''}`,
        facts: [fact('Alias', row?.name, null)], typed: row?.name ?? null,
        undoText: 'A new alias of this name would have another id; games that know the old one would not find it.',
      }; // prettier-ignore
    }
    case 'UpdateFleetCapacity': {
      const at = fleet?.locations.find((row) => row.location === request.location) ?? fleet?.locations[0];
      const before = { desiredInstances: at?.desired ?? 0, minSize: at?.min ?? 0, maxSize: at?.max ?? 0 };
      const labels = { desiredInstances: 'Desired instances', minSize: 'Minimum', maxSize: 'Maximum' };
      const keys = Object.keys(labels) as (keyof typeof labels)[];
      const shrinks = request.desiredInstances !== null && request.desiredInstances < (at?.active ?? 0);
      return {
        ...base, ...ofFleet, title: `Set the capacity of ${fleetName} in ${at?.location ?? 'its home Region'}`,
        facts: keys.filter((key) => request[key] !== null).map((key) => fact(labels[key], before[key], request[key])),
        hits: shrinks ? world.sessions.filter((one) => one.fleetId === request.fleetId && one.location === at?.location && one.endedMs === null) : [],
        undo: [again({ ...request, desiredInstances: request.desiredInstances === null ? null : before.desiredInstances, minSize: request.minSize === null ? null : before.minSize, maxSize: request.maxSize === null ? null : before.maxSize })],
        undoText: 'The former sizes. Game sessions that ended meanwhile stay ended.',
      }; // prettier-ignore
    }
    case 'PutScalingPolicy': {
      const was = fleet?.policies.find((one) => one.name === request.name);
      const said = request.rule.targetBased
        ? `keep ${request.rule.targetBased.targetValue} % of game sessions available`
        : `${request.rule.ruleBased.metricName} ${request.rule.ruleBased.comparisonOperator} ${request.rule.ruleBased.threshold} for ${request.rule.ruleBased.evaluationPeriods} min → ${request.rule.ruleBased.scalingAdjustmentType} ${request.rule.ruleBased.scalingAdjustment}`; // prettier-ignore
      const before = was ? (was.rule ?? `keep ${was.targetValue ?? '–'} % of game sessions available`) : null;
      return {
        ...base, ...ofFleet, title: `${was ? 'Change' : 'Add'} scaling policy ${request.name} of ${fleetName}`,
        facts: [fact(request.name, before, said)],
        undo: was?.targetValue != null ? [again({ ...request, rule: { targetBased: { targetValue: was.targetValue } } })] : [again({ operation: 'DeleteScalingPolicy', fleetId: request.fleetId, name: request.name })],
        undoText: was ? 'The former policy.' : 'The policy is deleted again.',
      }; // prettier-ignore
    }
    case 'DeleteScalingPolicy': {
      const was = fleet?.policies.find((one) => one.name === request.name);
      return {
        ...base, ...ofFleet, title: `Delete scaling policy ${request.name} of ${fleetName}`,
        facts: [fact(request.name, was?.rule ?? `keep ${was?.targetValue ?? '–'} % of game sessions available`, null)],
        undo: was?.targetValue != null ? [again({ operation: 'PutScalingPolicy', fleetId: request.fleetId, name: request.name, rule: { targetBased: { targetValue: was.targetValue } } })] : null,
        undoText: 'The policy is put back.',
      }; // prettier-ignore
    }
    case 'StopFleetActions':
    case 'StartFleetActions': {
      const stops = request.operation === 'StopFleetActions';
      return {
        ...base, ...ofFleet, title: `${stops ? 'Suspend' : 'Resume'} scaling of ${fleetName}${request.location ? ` in ${request.location}` : ''}`,
        facts: [fact('Automatic scaling', stops ? 'running' : 'suspended', stops ? 'suspended' : 'running')],
        undo: [again({ ...request, operation: stops ? 'StartFleetActions' : 'StopFleetActions' })], undoText: 'Exactly as it was.',
      }; // prettier-ignore
    }
    case 'UpdateFleetAttributes':
      return {
        ...base, ...ofFleet, title: `Change the protection of new game sessions of ${fleetName}`,
        facts: [fact('New game sessions', fleet?.protection, request.newGameSessionProtectionPolicy)],
        undo: [again({ ...request, newGameSessionProtectionPolicy: (fleet?.protection ?? 'NoProtection') as 'NoProtection' })], undoText: 'Exactly as it was.',
      }; // prettier-ignore
    case 'UpdateGameSessionQueue': {
      const row = world.queues(fresh(world)).find((one) => one.name === request.name);
      const facts: FactChange[] = [];
      if (request.timeoutSeconds !== null)
        facts.push(fact('Timeout', row?.timeoutSeconds == null ? null : `${row.timeoutSeconds} s`, `${request.timeoutSeconds} s`)); // prettier-ignore
      if (request.destinations)
        facts.push(fact('Destinations', row?.destinations.map((one) => one.label).join(', '), request.destinations.map((arn) => fleetById(arn.slice(arn.lastIndexOf('/') + 1))?.name ?? arn.slice(arn.lastIndexOf('/') + 1)).join(', '))); // prettier-ignore
      if (request.playerLatencyPolicies)
        facts.push(fact('Latency policies', row?.latencyPolicies.join(', '), request.playerLatencyPolicies.map((one) => `≤ ${one.maximumIndividualPlayerLatencyMs} ms${one.policyDurationSeconds ? ` for ${one.policyDurationSeconds} s` : ' after'}`).join(', '))); // prettier-ignore
      return {
        ...base, kind: 'queue', id: request.name, name: request.name, title: `Edit queue ${request.name}`, facts,
        undo: [again({ ...request, timeoutSeconds: request.timeoutSeconds && (row?.timeoutSeconds ?? null), destinations: request.destinations && (row?.destinations.map((one) => one.arn) ?? null) })],
        undoText: 'Exactly the former settings.', link: `#/placements/queues/${action.region}/${request.name}`,
      }; // prettier-ignore
    }
    case 'UpdateScript':
      return { ...base, kind: 'script', id: request.scriptId, title: `Update script ${request.name ?? request.scriptId}`, facts: [fact('Version', null, request.version), fact('File', null, request.zipFile?.path)], undoText: 'GameLift keeps no earlier version; upload it again.' }; // prettier-ignore
    default:
      return {
        ...base, kind: 'ticket', id: request.ticketId,
        title: { StartMatchmaking: 'Start a matchmaking ticket', AcceptMatch: 'Answer a proposed match', StopMatchmaking: 'Stop a matchmaking ticket', StartMatchBackfill: 'Start a backfill' }[request.operation],
        facts: [fact('Ticket', null, request.operation === 'StopMatchmaking' ? 'CANCELLED' : request.operation === 'AcceptMatch' ? (request.accept ? 'accepted' : 'rejected') : 'QUEUED')],
        link: `#/matchmaking/tickets/${action.region}/${request.ticketId}`,
      }; // prettier-ignore
  }
}

/** A line of the AWS CLI as the program would show it; here only its outline. */
export function commandOf(action: Action): string {
  const { operation, ...rest } = action.request;
  const dashed = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  const parts = Object.entries(rest)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `--${dashed(key)} ${typeof value === 'object' ? `'${JSON.stringify(value)}'` : String(value)}`);
  return ['aws gamelift', dashed(operation), ...parts, `--region ${action.region}`, '--profile arena-prod'].join(' ');
} // prettier-ignore

export const effectText: Partial<Record<ActivityRow['operation'], string>> = {
  CreateGameSession: 'The game session is ACTIVE',
  StartGameSessionPlacement: 'The placement is FULFILLED and its game session ACTIVE',
  TerminateGameSession: 'The game session is TERMINATED',
  UpdateFleetCapacity: 'GameLift shows the new capacity',
  UpdateAlias: 'GameLift shows the new routing',
};
