/** Owns how the filters of the Activity screen stand in its address, and the question they make. */
import type {
  ActivityOutcome,
  ActivityQuery,
  EffectState,
  Page,
  Range,
  Request,
  ResourceKind,
} from '$live/types';

export const outcomes: readonly ActivityOutcome[] = ['sending', 'done', 'failed', 'unknown'];

/** A record, so that an operation that is added cannot be forgotten here. */
const known: Record<Request['operation'], true> = {
  CreateGameSession: true,
  UpdateGameSession: true,
  TerminateGameSession: true,
  CreatePlayerSessions: true,
  StartGameSessionPlacement: true,
  StopGameSessionPlacement: true,
  CreateAlias: true,
  UpdateAlias: true,
  DeleteAlias: true,
  UpdateFleetCapacity: true,
  PutScalingPolicy: true,
  DeleteScalingPolicy: true,
  StopFleetActions: true,
  StartFleetActions: true,
  UpdateFleetAttributes: true,
  UpdateGameSessionQueue: true,
  StartMatchmaking: true,
  AcceptMatch: true,
  StopMatchmaking: true,
  StartMatchBackfill: true,
  UpdateScript: true,
};
export const operations = Object.keys(known).sort();

export const resourceWords: Record<ResourceKind, string> = {
  gameSession: 'game session',
  placement: 'placement',
  alias: 'alias',
  fleet: 'fleet',
  queue: 'queue',
  ticket: 'matchmaking ticket',
  script: 'script',
};

export const effectWord: Record<EffectState, string> = {
  awaited: 'awaited',
  seen: 'seen',
  missed: 'missed',
  given_up: 'not seen',
};

type Filters = Omit<ActivityQuery, 'page' | 'range'> & { readonly ranged: boolean };

/** Unknown words in an address are left out rather than refused. */
export function filtersOf(query: Readonly<Record<string, string>>): Filters {
  const asked = (query.outcomes ?? '').split(',');
  return {
    text: (query.q ?? '').trim(),
    outcomes: outcomes.filter((outcome) => asked.includes(outcome)),
    operation: operations.find((operation) => operation === query.operation) ?? null,
    resourceKind: (Object.keys(resourceWords) as ResourceKind[]).find((kind) => kind === query.kind) ?? null,
    resourceId: query.resource ?? null,
    fleetId: query.fleet ?? null,
    runId: query.run ?? null,
    ranged: query.ranged === '1',
  };
}

/** Whether anything narrows the list. */
export const isNarrowed = ({
  text,
  outcomes: some,
  operation,
  resourceKind,
  resourceId,
  fleetId,
  ranged,
}: Filters) =>
  text !== '' ||
  some.length > 0 ||
  [operation, resourceKind, resourceId, fleetId].some((one) => one !== null) ||
  ranged;

/** `range` is used only when the person asked for it: what was changed last week matters at 3 a.m. too. */
export function questionOf({ ranged, ...filters }: Filters, range: Range, page: Page): ActivityQuery {
  return { ...filters, range: ranged ? range : null, page };
}
