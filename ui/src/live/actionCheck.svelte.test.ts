import { flushSync } from 'svelte';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Host } from '$host/host';
import { createActionCheck, type ActionCheck } from './actionCheck.svelte';
import type { Action } from './types';
import { connect } from './wire';

const action = (aliasId: string): Action => ({
  region: 'eu-west-1',
  request: { operation: 'DeleteAlias', aliasId },
});
const wrong = (...errors: [field: string, message: string][]) => ({
  errors: errors.map(([field, message]) => ({ field, message })),
  command: 'aws gamelift …',
});
const settled = () => new Promise((resolve) => setTimeout(resolve));

let actionCheck: ReturnType<typeof vi.fn>;
beforeEach(() => {
  actionCheck = vi.fn(() => Promise.resolve(wrong()));
  connect({ actionCheck } as unknown as Host, () => 0);
});

/** A check over a form that can be changed, as a component would hold it. */
function watched(first: Action | null): {
  check: ActionCheck;
  write: (next: Action | null) => void;
  stop: () => void;
} {
  let form = $state.raw(first);
  let check: ActionCheck | undefined;
  const stop = $effect.root(() => {
    check = createActionCheck(() => form);
  });
  flushSync();
  if (!check) throw new Error('no check');
  const write = (next: Action | null) => {
    form = next;
    flushSync();
  };
  return { check, write, stop };
}

it('tells the first complaint about each field, and the command', async () => {
  actionCheck.mockResolvedValue(wrong(['name', 'first'], ['name', 'second'], ['routing', 'third']));
  const { check, stop } = watched(action('a'));
  await settled();
  expect(check.problems).toEqual({ name: 'first', routing: 'third' });
  expect(check.command).toBe('aws gamelift …');
  expect(check.passed).toBe(false);
  stop();
});

it('passes only what was checked as it stands now', async () => {
  const { check, write, stop } = watched(action('a'));
  await settled();
  expect(check.passed).toBe(true);
  write(action('b'));
  expect(check.passed).toBe(false);
  await settled();
  expect(check.passed).toBe(true);
  write(null);
  expect(check.passed).toBe(false);
  stop();
});

it('a form that is made again and is as it was stays checked', async () => {
  const { check, write, stop } = watched(action('a'));
  await settled();
  write(action('a'));
  expect(check.passed).toBe(true);
  expect(actionCheck).toHaveBeenCalledTimes(1);
  stop();
});

it('an answer about an older form is dropped', async () => {
  let late: (answer: ReturnType<typeof wrong>) => void = () => undefined;
  actionCheck.mockReturnValueOnce(new Promise((resolve) => (late = resolve)));
  const { check, write, stop } = watched(action('a'));
  write(action('b'));
  await settled();
  late(wrong(['aliasId', 'old']));
  await settled();
  expect(check.problems).toEqual({});
  expect(check.passed).toBe(true);
  stop();
});

it('a check that fails stands in nobody’s way: the preview asks again', async () => {
  actionCheck.mockRejectedValue(new Error('gone'));
  const { check, stop } = watched(action('a'));
  await settled();
  expect(check.passed).toBe(true);
  expect(check.problems).toEqual({});
  stop();
});

it('a form that is sent while it is being checked waits for the check', async () => {
  let answer: (answer: ReturnType<typeof wrong>) => void = () => undefined;
  actionCheck.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const { check, stop } = watched(action('a'));
  const sent = [check.passes(), check.passes()];
  answer(wrong());
  expect(await Promise.all(sent)).toEqual([false, true]);
  stop();
});

it('a form that changes while it waits is judged as it is then', async () => {
  let answer: (answer: ReturnType<typeof wrong>) => void = () => undefined;
  actionCheck.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const { check, write, stop } = watched(action('a'));
  const sent = check.passes();
  actionCheck.mockResolvedValueOnce(wrong(['aliasId', 'wrong']));
  write(action('b'));
  answer(wrong());
  expect(await sent).toBe(false);
  expect(check.problems).toEqual({ aliasId: 'wrong' });
  stop();
});

it('a form that is closed while it waits is not sent', async () => {
  let answer: (answer: ReturnType<typeof wrong>) => void = () => undefined;
  actionCheck.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const { check, stop } = watched(action('a'));
  const sent = check.passes();
  stop();
  answer(wrong());
  expect(await sent).toBe(false);
});
