/** Owns the steps of an attempt from the call to an ACTIVE game session. */
import type { DotState } from '$kit/states';
import type { ActivityOutcome, ActivityRow, EffectState } from '$live/types';

export type FollowStep = { readonly title: string; readonly state: DotState; readonly detail: string };

const answers: Record<ActivityOutcome, DotState> = {
  sending: 'pending',
  done: 'good',
  failed: 'bad',
  unknown: 'warning',
};
const effects: Record<EffectState, DotState> = {
  awaited: 'pending',
  seen: 'good',
  missed: 'bad',
  given_up: 'warning',
};

function answered(row: ActivityRow): string {
  if (row.outcome === 'sending') return 'Waiting for GameLift';
  if (row.outcome === 'failed') return 'GameLift refused';
  if (row.outcome === 'unknown') return 'No answer from GameLift';
  return row.operation === 'StartGameSessionPlacement'
    ? 'GameLift accepted the placement'
    : 'GameLift created the game session';
}

export function followSteps(row: ActivityRow): FollowStep[] {
  const placed = row.operation === 'StartGameSessionPlacement';
  const took =
    row.outcome === 'done' && row.proof === 'answered' && row.durationMs !== null
      ? `${row.durationMs} ms`
      : '';
  return [
    { title: 'Recorded here', state: 'good', detail: 'before sending' },
    { title: answered(row), state: answers[row.outcome], detail: took },
    {
      title: placed ? 'Placed and ACTIVE' : 'ACTIVE',
      state: row.outcome !== 'done' ? 'off' : row.effect ? effects[row.effect.state] : 'pending',
      detail: row.effect?.text ?? '',
    },
  ];
}
