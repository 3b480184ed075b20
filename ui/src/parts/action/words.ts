/** Owns the wording of changes: the label of the button that sends one, and how an outcome looks. */
import type { DotState } from '$kit/states';
import { counted, lastSegment, shortenMiddle } from '$lib/text';
import type {
  Action,
  ActivityOutcome,
  ActivityRow,
  EffectState,
  Intent,
  Proof,
  Request,
  RunState,
  SkipReason,
} from '$live/types';

const verbs: Record<Request['operation'], string> = {
  CreateGameSession: 'Create game session',
  UpdateGameSession: 'Update game session',
  TerminateGameSession: 'Terminate game session',
  CreatePlayerSessions: 'Reserve',
  StartGameSessionPlacement: 'Start placement',
  StopGameSessionPlacement: 'Stop placement',
  CreateAlias: 'Create alias',
  UpdateAlias: 'Update alias',
  DeleteAlias: 'Delete alias',
  UpdateFleetCapacity: 'Set capacity',
  PutScalingPolicy: 'Save policy',
  DeleteScalingPolicy: 'Delete policy',
  StopFleetActions: 'Suspend scaling',
  StartFleetActions: 'Resume scaling',
  UpdateFleetAttributes: 'Change protection',
  CreateGameSessionQueue: 'Create queue',
  UpdateGameSessionQueue: 'Update queue',
  StartMatchmaking: 'Start ticket',
  AcceptMatch: 'Send answer',
  StopMatchmaking: 'Stop ticket',
  StartMatchBackfill: 'Start backfill',
  UpdateScript: 'Update script',
};

const ending: readonly Request['operation'][] = [
  'TerminateGameSession',
  'DeleteAlias',
  'DeleteScalingPolicy',
];

/** The label of the button that sends `actions`. */
export function confirmWord(intent: Intent, actions: readonly Action[]): string {
  if (intent.kind === 'undo') return 'Undo';
  if (intent.kind === 'drain') return 'Start drain';
  if (intent.kind === 'resume') return 'Resume';
  const [first] = actions;
  if (!first) return 'Send';
  const { request } = first;
  const many = actions.length;
  if (many > 1) {
    if (!('gameSessionId' in request)) return `Send ${counted(many, 'change')}`;
    const verb = request.operation === 'TerminateGameSession' ? 'Terminate' : 'Update';
    return `${verb} ${counted(many, 'game session')}`;
  }
  if (request.operation === 'TerminateGameSession' && request.terminationMode === 'FORCE_TERMINATE')
    return 'Terminate at once';
  if (request.operation === 'UpdateAlias' && request.routing !== null) return 'Repoint alias';
  return verbs[request.operation];
}

/** Whether one of the actions ends or deletes something for good. */
export const isEnding = (intent: Intent, actions: readonly Action[]): boolean =>
  (intent.kind === 'actions' || intent.kind === 'resume') &&
  actions.some((action) => ending.includes(action.request.operation));

export const outcomeDot: Record<ActivityOutcome, DotState> = {
  sending: 'pending',
  done: 'good',
  failed: 'bad',
  unknown: 'warning',
};

export const outcomeWord: Record<ActivityOutcome, string> = {
  sending: 'sending',
  done: 'done',
  failed: 'failed',
  unknown: 'outcome unknown',
};

/** How an attempt ended. Without an answer, a change that is in effect may have been made by someone else. */
export const endOf = (row: Pick<ActivityRow, 'outcome' | 'proof'>): string =>
  row.outcome === 'done' && row.proof === 'seen' ? 'in effect' : outcomeWord[row.outcome];

/** The label of the time at which an attempt ended. */
export function endedWord({ outcome, proof }: Pick<ActivityRow, 'outcome' | 'proof'>): string {
  if (outcome === 'unknown') return 'No answer by';
  return proof === 'answered' ? 'Answered' : 'Confirmed';
}

/** The heading over a change that is in effect. */
export const doneWord: Record<Proof, string> = {
  answered: 'GameLift accepted it.',
  own: 'GameLift did not answer, but carried it out.',
  seen: 'GameLift did not answer, but the change is in effect.',
};

/** A resource's name, or a short form of its id. */
export const nameOf = ({
  resourceName,
  resourceId,
}: {
  resourceName: string | null;
  resourceId: string;
}): string => resourceName ?? shortenMiddle(lastSegment(resourceId), 24);
/** Whether AWS refused to end it because it had already ended, which is not a failure. */
export const hadEnded = (row: ActivityRow): boolean =>
  row.outcome === 'failed' && row.operation === 'TerminateGameSession' && row.effect?.state === 'seen';

export const skipDot: Record<SkipReason, DotState> = { ended: 'off', refused: 'bad', moved: 'warning' };

export const skipWord: Record<SkipReason, string> = {
  ended: 'already ended',
  refused: 'would be refused',
  moved: 'changed since',
};

export const effectDot: Record<EffectState, DotState> = {
  awaited: 'pending',
  seen: 'good',
  missed: 'bad',
  given_up: 'warning',
};

export const runDot: Record<RunState, DotState> = {
  running: 'pending',
  paused: 'warning',
  stopped: 'off',
  finished: 'good',
};

/** The forced termination to offer after a graceful one had no effect; null for any other attempt. */
export function forceOf(row: ActivityRow): Request | null {
  if (row.operation !== 'TerminateGameSession' || row.effect?.state !== 'missed') return null;
  return {
    operation: 'TerminateGameSession',
    gameSessionId: row.resourceId,
    terminationMode: 'FORCE_TERMINATE',
  };
}
