import { beforeEach, expect, it, vi } from 'vitest';
import type { Host } from '$host/host';
import { operate } from './operate.svelte';
import { program } from './program.svelte';
import type { ActivityRow, AppError, Confirmed, Preview } from './types';
import { connect } from './wire';

const preview = (id: string): Preview => ({
  id, title: 'Terminate game session a', items: [], leftOut: null, confirmable: true, mustType: null, commands: [], expiresAt: 9e15, warnings: [],
  blast: { gameSessions: 1, playerSessions: 4, protectedGameSessions: 0, shareOfRegion: 0.1, sentence: '', asOf: null },
  undo: { kind: 'none', text: '' },
}); // prettier-ignore
const sent: Confirmed = { kind: 'sent', receipt: { runId: null, activityIds: ['a-1'], leftOut: null } };
const refusal = (kind: AppError['kind']): AppError => ({
  kind, message: 'no', resource: null, awsCode: null, requestId: null, retryable: false, remedy: null, fields: [],
}); // prettier-ignore
const intent = { kind: 'undo', of: 'a-0' } as const;

let host: {
  actionPreview: ReturnType<typeof vi.fn>;
  actionConfirm: ReturnType<typeof vi.fn>;
  activityGet: ReturnType<typeof vi.fn>;
  appState: ReturnType<typeof vi.fn>;
};
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  operate.close();
  host = {
    actionPreview: vi.fn(() => Promise.resolve(preview('p-1'))),
    actionConfirm: vi.fn(() => Promise.resolve(sent)),
    activityGet: vi.fn(() => Promise.resolve({ outcome: 'done' } as ActivityRow)),
    appState: vi.fn(() => Promise.resolve(null)),
  };
  connect(host as unknown as Host, () => 0);
});

it('shows a preview and sends nothing before it is confirmed', async () => {
  operate.begin(intent);
  expect(operate.flow?.phase).toBe('asking');
  await settled();
  expect(operate.flow?.phase).toBe('asked');
  expect(operate.flow?.preview?.id).toBe('p-1');
  expect(host.actionConfirm).not.toHaveBeenCalled();
});

it('confirms exactly the preview that is shown, once', async () => {
  operate.begin(intent);
  await settled();
  const first = operate.confirm('arena-prod');
  const second = operate.confirm('arena-prod');
  await Promise.all([first, second]);
  expect(host.actionConfirm.mock.calls).toEqual([['p-1', 'arena-prod']]);
  expect(operate.flow?.receipt?.activityIds).toEqual(['a-1']);
});

it('asks again with the new preview when the world moved', async () => {
  const what = [{ label: 'Players', before: '4', after: '9' }];
  host.actionConfirm.mockResolvedValueOnce({ kind: 'moved', what, preview: preview('p-2') });
  operate.begin(intent);
  await settled();
  await operate.confirm(null);
  expect(operate.flow?.phase).toBe('asked');
  expect(operate.flow?.moved).toEqual(what);
  expect(operate.flow?.preview?.id).toBe('p-2');
  await operate.confirm(null);
  expect(host.actionConfirm.mock.calls.at(-1)).toEqual(['p-2', null]);
  expect(operate.flow?.phase).toBe('sent');
});

it('tells whoever proposed it when it was done, and not when it was refused', async () => {
  const ondone = vi.fn();
  operate.begin(intent, { ondone });
  await settled();
  await operate.confirm(null);
  expect(ondone).toHaveBeenCalledTimes(1);
  host.activityGet.mockResolvedValue({ outcome: 'failed' } as ActivityRow);
  operate.begin(intent, { ondone });
  await settled();
  await operate.confirm(null);
  expect(ondone).toHaveBeenCalledTimes(1);
  expect(operate.flow?.phase).toBe('sent');
});

it('closes by itself where the screen follows, but not while the outcome is unknown', async () => {
  operate.begin(intent, { followed: true });
  await settled();
  await operate.confirm(null);
  expect(operate.flow).toBeNull();
  host.activityGet.mockResolvedValue({ outcome: 'unknown' } as ActivityRow);
  operate.begin(intent, { followed: true });
  await settled();
  await operate.confirm(null);
  expect(operate.flow?.phase).toBe('sent');
});

it('keeps the preview and looks at the mode again when leave has ended meanwhile', async () => {
  const load = vi.spyOn(program, 'load');
  host.actionConfirm.mockRejectedValueOnce(refusal('readOnly'));
  operate.begin(intent);
  await settled();
  await operate.confirm(null);
  expect(operate.flow?.phase).toBe('asked');
  expect(operate.flow?.error?.kind).toBe('readOnly');
  expect(load).toHaveBeenCalled();
});

it('an answer to a change that was closed disturbs no later one', async () => {
  let answer: (confirmed: Confirmed) => void = () => undefined;
  host.actionConfirm.mockReturnValueOnce(new Promise<Confirmed>((resolve) => (answer = resolve)));
  operate.begin(intent);
  await settled();
  const old = operate.confirm(null);
  operate.close();
  operate.begin(intent);
  await settled();
  answer(sent);
  await old;
  expect(operate.flow?.phase).toBe('asked');
  expect(operate.flow?.receipt).toBeNull();
});

it('goes back to the form it came from', async () => {
  const onback = vi.fn();
  operate.begin(intent, { onback });
  await settled();
  operate.back();
  expect(onback).toHaveBeenCalledOnce();
  expect(operate.flow).toBeNull();
});
