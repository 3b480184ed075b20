import { expect, it } from 'vitest';
import type { ActivityRow } from '$live/types';
import { followSteps } from './followSteps';

const row = { operation: 'CreateGameSession', outcome: 'done', proof: 'answered', durationMs: 210, effect: null } as ActivityRow; // prettier-ignore
const states = (of: ActivityRow) => followSteps(of).map((step) => step.state);

it('an accepted call waits until the game session is ACTIVE', () => {
  expect(states(row)).toEqual(['good', 'good', 'pending']);
  const seen = { ...row, effect: { state: 'seen' as const, text: 'The game session is ACTIVE', at: 0 } };
  expect(followSteps(seen).at(-1)).toEqual({
    title: 'ACTIVE',
    state: 'good',
    detail: 'The game session is ACTIVE',
  });
  expect(states({ ...row, effect: { state: 'missed', text: '', at: 0 } })).toEqual(['good', 'good', 'bad']);
});

it('nothing is awaited of a call that was refused or not answered, and no time is claimed for it', () => {
  expect(states({ ...row, outcome: 'failed' })).toEqual(['good', 'bad', 'off']);
  const unknown = followSteps({ ...row, outcome: 'unknown' });
  expect(unknown[1]).toEqual({ title: 'No answer from GameLift', state: 'warning', detail: '' });
  expect(unknown[2]?.state).toBe('off');
  expect(followSteps({ ...row, proof: 'own' })[1]?.detail).toBe('');
});

it('a placement says so', () => {
  const titles = followSteps({ ...row, operation: 'StartGameSessionPlacement' }).map((step) => step.title);
  expect(titles.slice(1)).toEqual(['GameLift accepted the placement', 'Placed and ACTIVE']);
});
