/** Owns how the Activity filters appear in the address, and the query they make. */
import type {
  ActivityOutcome,
  ActivityRequest,
  EffectState,
  Page,
  TimeRange,
  Request,
  ResourceKind,
} from '$live/types';

export const outcomes: readonly ActivityOutcome[] = ['sending', 'done', 'failed', 'unknown'];

/** A record, so that the compiler notices a new operation. */
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
  CreateGameSessionQueue: true,
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
  awaited: 'pending',
  seen: 'seen',
  missed: 'missed',
  given_up: 'not seen',
};

type Filters = Omit<ActivityRequest, 'operations' | 'page' | 'range'> & {
  readonly operation: string | null;
  readonly ranged: boolean;
};

/** Unknown words in an address are ignored. */
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

/** Whether any filter is set. */
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

/** `range` applies only when chosen: last week's change may matter tonight. */
export function questionOf(
  { operation, ranged, ...filters }: Filters,
  range: TimeRange,
  page: Page,
): ActivityRequest {
  return {
    ...filters,
    operations: operation === null ? [] : [operation],
    range: ranged ? range : null,
    page,
  };
}
