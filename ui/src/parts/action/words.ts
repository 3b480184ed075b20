/** Owns the words of changes: what the button that sends one says, and how an outcome looks. */
import type { DotState } from '$kit/states';
import { counted } from '$lib/text';
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

/** What the button says that sends it; `actions` are those that would be sent. */
export function confirmWord(intent: Intent, actions: readonly Action[]): string {
  if (intent.kind === 'undo') return 'Undo';
  if (intent.kind === 'drain') return 'Start the drain';
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

/** Whether it takes something away that cannot be had back. */
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

/** How an attempt ended: what was only seen after no answer came may be somebody else's doing. */
export const endOf = (row: Pick<ActivityRow, 'outcome' | 'proof'>): string =>
  row.outcome === 'done' && row.proof === 'seen' ? 'seen as asked' : outcomeWord[row.outcome];

/** What happened at its end. */
export function endedWord({ outcome, proof }: Pick<ActivityRow, 'outcome' | 'proof'>): string {
  if (outcome === 'unknown') return 'Given up';
  return proof === 'answered' ? 'Answered' : 'Found out';
}

/** What stands over a change that is as asked. */
export const doneWord: Record<Proof, string> = {
  answered: 'GameLift accepted it.',
  own: 'No answer came, but it was carried out.',
  seen: 'No answer came. What it asked for is there.',
};

/** What AWS refused to end because it had ended by itself: nothing went wrong. */
export const hadEnded = (row: ActivityRow): boolean =>
  row.outcome === 'failed' && row.operation === 'TerminateGameSession' && row.effect?.state === 'seen';

export const skipDot: Record<SkipReason, DotState> = { ended: 'off', refused: 'bad', moved: 'warning' };

export const skipWord: Record<SkipReason, string> = {
  ended: 'already ended',
  refused: 'AWS would refuse it',
  moved: 'changed meanwhile',
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

/** The action that forces what a graceful end did not bring about; null for any other attempt. */
export function forceOf(row: ActivityRow): Request | null {
  if (row.operation !== 'TerminateGameSession' || row.effect?.state !== 'missed') return null;
  return {
    operation: 'TerminateGameSession',
    gameSessionId: row.resourceId,
    terminationMode: 'FORCE_TERMINATE',
  };
}
