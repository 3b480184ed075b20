import { expect, it } from 'vitest';
import { createWork } from './work.svelte';

it('one step is done at a time, and the next begins without the error of the last', async () => {
  const work = createWork();
  let fail: (reason: Error) => void = () => undefined;
  let done = 0;
  const first = work.run(() => new Promise((_, reject) => (fail = reject)));
  await work.run(() => Promise.resolve(done++));
  expect([work.busy, done]).toEqual([true, 0]);
  fail(new Error('refused'));
  await first;
  expect([work.busy, work.error?.message]).toEqual([false, 'refused']);
  await work.run(() => Promise.resolve(done++));
  expect([work.busy, work.error, done]).toEqual([false, null, 1]);
});
