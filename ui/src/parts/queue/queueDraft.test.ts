import { describe, expect, it } from 'vitest';
import type { QueueDetail } from '$live/types';
import { aliasArn, changeOf, draftOf, moved, problemsOf, wholeNumber } from './queueDraft';

const destination = (id: string): QueueDetail['destinations'][number] => ({
  arn: `arn:aws:gamelift:eu-west-1:111122223333:fleet/${id}`, kind: 'fleet', id, name: id, fleetId: id, state: 'good', gameSessions: 0,
}); // prettier-ignore
const queue: QueueDetail = {
  name: 'arena', region: 'eu-west-1', arn: null, timeoutSeconds: 30, destinations: [destination('a'), destination('b')],
  latencyPolicies: [
    { maximumIndividualPlayerLatencyMs: 60, policyDurationSeconds: 20 },
    { maximumIndividualPlayerLatencyMs: 120, policyDurationSeconds: null },
  ],
  priorityOrder: [], locationOrder: [], allowedLocations: [], notificationTarget: null, customEventData: null, history: [],
  freshness: { asOf: 0, stale: false },
}; // prettier-ignore
const draft = draftOf(queue);
const requestOf = (next: typeof draft) => changeOf(queue, next)?.request;

describe('the draft of a queue', () => {
  it('that equals the queue is no change', () => {
    expect(changeOf(queue, draft)).toBeNull();
  });

  it('sends only what differs, because the API replaces what is given', () => {
    expect(requestOf({ ...draft, timeout: '45' })).toEqual({
      operation: 'UpdateGameSessionQueue', name: 'arena', timeoutSeconds: 45, destinations: null, playerLatencyPolicies: null, notificationTarget: null,
    }); // prettier-ignore
    const order = requestOf({ ...draft, destinations: moved(draft.destinations, 1, 0) });
    expect(order).toMatchObject({ timeoutSeconds: null, playerLatencyPolicies: null });
    expect(order && 'destinations' in order ? order.destinations?.map((arn) => arn.slice(-1)) : []).toEqual(['b', 'a']); // prettier-ignore
  });

  it('sets a notification target, and cannot take one away', () => {
    const topic = 'arn:aws:sns:eu-west-1:111122223333:events';
    expect(requestOf({ ...draft, topic: ` ${topic} ` })).toMatchObject({
      notificationTarget: topic,
      timeoutSeconds: null,
    });
    const told = { ...queue, notificationTarget: topic };
    expect(changeOf(told, { ...draftOf(told), topic: '' })).toBeNull();
  });

  it('can take every latency policy away', () => {
    expect(requestOf({ ...draft, policies: [] })).toMatchObject({ playerLatencyPolicies: [] });
  });

  it('is not sent while a field is no number, and names the field', () => {
    const wrong = { ...draft, timeout: 'soon', policies: [{ latencyMs: '', seconds: '20' }] };
    expect(Object.keys(problemsOf(wrong))).toEqual(['timeoutSeconds', 'playerLatencyPolicies[0]']);
    expect(changeOf(queue, wrong)).toBeNull();
  });

  it('may let any policy hold to the end, as the service does', () => {
    const policies = [{ latencyMs: '60', seconds: '' }, ...draft.policies];
    expect(problemsOf({ ...draft, policies })).toEqual({});
    expect(requestOf({ ...draft, policies })).toHaveProperty('playerLatencyPolicies.0', {
      maximumIndividualPlayerLatencyMs: 60,
      policyDurationSeconds: null,
    });
  });
});

describe('an order', () => {
  it('stays as it is when something is moved out of it', () => {
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
    expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  });
});

describe('a number in a field', () => {
  it('is whole, absent or none', () => {
    expect([wholeNumber(' 12 '), wholeNumber(''), wholeNumber('1.5'), wholeNumber('-1')]).toEqual([12, null, undefined, undefined]); // prettier-ignore
  });
});

describe('the ARN of an alias', () => {
  it('keeps the partition and carries no account', () => {
    expect(aliasArn('arn:aws-cn:gamelift:cn-north-1:1:gamesessionqueue/q', 'cn-north-1', 'alias-1')).toBe(
      'arn:aws-cn:gamelift:cn-north-1::alias/alias-1',
    );
  });
});
