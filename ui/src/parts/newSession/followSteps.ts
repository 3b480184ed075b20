/** Owns the steps from the call to an ACTIVE game session, as an attempt says them. */
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
  if (row.outcome === 'sending') return 'Waiting for the answer of GameLift';
  if (row.outcome === 'failed') return 'GameLift refused it';
  if (row.outcome === 'unknown') return 'No answer of GameLift';
  return row.operation === 'StartGameSessionPlacement'
    ? 'GameLift took the placement'
    : 'GameLift made the game session';
}

export function followSteps(row: ActivityRow): FollowStep[] {
  const placed = row.operation === 'StartGameSessionPlacement';
  const took =
    row.outcome === 'done' && row.proof === 'answered' && row.durationMs !== null
      ? `${row.durationMs} ms`
      : '';
  return [
    { title: 'Recorded here', state: 'good', detail: 'before anything was sent' },
    { title: answered(row), state: answers[row.outcome], detail: took },
    {
      title: placed ? 'Placed and ACTIVE' : 'ACTIVE',
      state: row.outcome !== 'done' ? 'off' : row.effect ? effects[row.effect.state] : 'pending',
      detail: row.effect?.text ?? '',
    },
  ];
}
