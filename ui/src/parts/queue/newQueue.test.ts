import { expect, it } from 'vitest';
import { createOf, emptyQueue, newProblems } from './newQueue';

const named = { ...emptyQueue, region: 'eu-west-1', name: 'arena' };

it('a queue is made once it has a name and a Region, and leaves to AWS what is empty', () => {
  expect(createOf(emptyQueue)).toBeNull();
  expect(createOf(named)).toMatchObject({
    region: 'eu-west-1',
    request: { name: 'arena', timeoutSeconds: null, notificationTarget: null, customEventData: null },
  });
  const topic = ' arn:aws:sns:eu-west-1:111122223333:events ';
  expect(createOf({ ...named, timeout: '45', topic })?.request).toMatchObject({
    timeoutSeconds: 45,
    notificationTarget: topic.trim(),
  });
});

it('a timeout that is no number is not sent', () => {
  const wrong = { ...named, timeout: 'soon' };
  expect([newProblems(wrong), createOf(wrong)]).toEqual([{ timeoutSeconds: 'Enter a whole number.' }, null]);
});
