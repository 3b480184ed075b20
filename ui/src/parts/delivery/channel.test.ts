import { expect, it } from 'vitest';
import type { Channel, ChannelState, Notification } from '$live/types';
import { lastText, placeOf, placeText, routeText, stateOf, wordsOf } from './channel';

const now = Date.UTC(2026, 10, 21, 12, 14);

const channel: Channel = {
  name: 'on call',
  kind: 'webhook',
  address: { from: 'environment', name: 'HOOK' },
  signingKey: null,
  endpoint: null,
  leastSeverity: 'warning',
  rules: [],
  regions: [],
  isOn: true,
};

const message = (patch: Partial<Notification>): Notification => ({
  id: 'm',
  channel: 'on call',
  topic: 'crashes',
  state: 'delivered',
  queuedAt: now,
  dueAt: now,
  attempts: 1,
  mayBeRepeat: false,
  endedAt: now,
  detail: null,
  message: { alerts: [] },
  ...patch,
});

const state = (newest: Notification[], patch: Partial<Channel> = {}): ChannelState => ({
  channel: { ...channel, ...patch },
  newest,
  waiting: 0,
});

it('reads a place as it writes it', () => {
  for (const text of ['env:HOOK', 'file:/run/hook', 'arn:aws:sns:eu-west-1:123456789012:alerts'])
    expect(placeText(placeOf(text))).toBe(text);
});

it('says what it takes only when that is not everything', () => {
  expect(routeText(channel)).toBe('');
  expect(routeText({ ...channel, leastSeverity: 'bad', regions: ['eu-west-1'] })).toBe(
    'bad only · eu-west-1',
  );
  expect(wordsOf(' crashes, startup ')).toEqual(['crashes', 'startup']);
});

it('goes by the newest message that no other replaced', () => {
  const failed = message({ state: 'failed', detail: 'the answer was 403 Forbidden' });
  expect(stateOf(state([message({ state: 'superseded' }), failed]))).toBe('bad');
  expect(lastText(state([failed]), now, 'utc')).toBe('failed 12:14');
  const trying = message({ state: 'waiting', attempts: 3, endedAt: null, detail: 'no connection' });
  expect(lastText(state([trying]), now, 'utc')).toBe('tried 3 times since 12:14');
  expect(stateOf(state([message({})]))).toBe('good');
});

it('calls nothing well that was never tried', () => {
  expect(stateOf(state([]))).toBe('pending');
  expect(lastText(state([]), now, 'utc')).toBe('nothing was sent yet');
  expect(lastText(state([message({})], { isOn: false }), now, 'utc')).toBe('switched off');
});
