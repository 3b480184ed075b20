import { expect, it } from 'vitest';
import type { Action, ActivityRow } from '$live/types';
import { leaveLeftMs, leftText } from './mode';
import { confirmWord, doneWord, endOf, endedWord, forceOf, hadEnded, isEnding } from './words';

const end = (id: string, mode: 'TRIGGER_ON_PROCESS_TERMINATE' | 'FORCE_TERMINATE'): Action => ({
  region: 'eu-west-1',
  request: { operation: 'TerminateGameSession', gameSessionId: id, terminationMode: mode },
});
const graceful = end('arn:1', 'TRIGGER_ON_PROCESS_TERMINATE');

const propose = (...actions: Action[]) => ({ kind: 'actions' as const, of: actions });

it('the button says what it sends', () => {
  const forced = end('a', 'FORCE_TERMINATE');
  expect(confirmWord(propose(graceful), [graceful])).toBe('Terminate game session');
  expect(confirmWord(propose(forced), [forced])).toBe('Terminate at once');
  expect(confirmWord(propose(graceful, forced), [graceful, forced])).toBe('Terminate 2 game sessions');
  expect(confirmWord(propose(graceful, forced), [graceful])).toBe('Terminate game session');
  expect(confirmWord({ kind: 'undo', of: 'a' }, [])).toBe('Undo');
  const rest = { kind: 'resume' as const, of: 'r' };
  expect([confirmWord(rest, []), isEnding(rest, [graceful]), isEnding(rest, [])]).toEqual(['Resume', true, false]);
  const alias: Action = {
    region: 'eu-west-1',
    request: { operation: 'UpdateAlias', aliasId: 'a', name: null, description: null, routing: { simple: { fleet_id: 'f' } } },
  };
  expect(confirmWord(propose(alias), [alias])).toBe('Repoint alias');
  expect(isEnding(propose(alias), [alias])).toBe(false);
  expect(isEnding(propose(graceful), [graceful])).toBe(true);
}); // prettier-ignore

it('what had ended by itself is no failure', () => {
  const row = { operation: 'TerminateGameSession', outcome: 'failed', effect: null } as ActivityRow;
  expect(hadEnded(row)).toBe(false);
  expect(hadEnded({ ...row, effect: { state: 'seen', text: '', at: 0 } })).toBe(true);
});

it('force is offered only where a graceful end has not come', () => {
  const row = { operation: 'TerminateGameSession', resourceId: 'arn:1', effect: null } as ActivityRow;
  expect(forceOf(row)).toBeNull();
  expect(forceOf({ ...row, effect: { state: 'seen', text: '', at: 0 } })).toBeNull();
  expect(forceOf({ ...row, effect: { state: 'missed', text: '', at: 0 } })).toMatchObject({
    gameSessionId: 'arn:1',
    terminationMode: 'FORCE_TERMINATE',
  });
});

it('what was only seen is not called done by the change', () => {
  expect(endOf({ outcome: 'done', proof: 'answered' })).toBe('done');
  expect(endOf({ outcome: 'done', proof: 'own' })).toBe('done');
  expect(endOf({ outcome: 'done', proof: 'seen' })).toBe('in effect');
  expect(endOf({ outcome: 'unknown', proof: 'answered' })).toBe('outcome unknown');
  expect(doneWord.seen).not.toContain('accepted');
  expect(endedWord({ outcome: 'done', proof: 'answered' })).toBe('Answered');
  expect(endedWord({ outcome: 'failed', proof: 'seen' })).toBe('Confirmed');
  expect(endedWord({ outcome: 'unknown', proof: 'answered' })).toBe('No answer by');
});

it('leave runs out by the clock, whatever was last told', () => {
  expect(leaveLeftMs({ kind: 'operator', until: 1_000 }, 400)).toBe(600);
  expect(leaveLeftMs({ kind: 'operator', until: 1_000 }, 2_000)).toBe(0);
  expect(leaveLeftMs({ kind: 'readOnly' }, 0)).toBe(0);
  expect([leftText(28 * 60_000), leftText(61_000), leftText(9_200)]).toEqual(['28 min', '1:01', '0:10']);
});
