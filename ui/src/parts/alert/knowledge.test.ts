import { expect, it } from 'vitest';
import type { Alert, Knowledge, RegionKnown } from '$live/types';
import { calmText, freshText, lackText, pastCalmText, unknownSince, unwatchedText } from './knowledge';

const at = Date.UTC(2026, 10, 21, 12, 14);
const now = at + 7 * 60_000;

function region(name: string, patch: Partial<RegionKnown> = {}): RegionKnown {
  return { region: name, lastRead: now, blindSince: null, failure: null, failed: 0, sources: [], ...patch };
}

function known(regions: RegionKnown[], patch: Partial<Knowledge> = {}): Knowledge {
  return { regions, blindSince: null, judgedAt: now, isComplete: false, ...patch };
}

it('says that all is well only when everything is fresh and judged', () => {
  const regions = [region('eu-west-1')];
  expect(calmText(known(regions, { isComplete: true }), [], now, 'utc')).toBe('Nothing needs attention.');
  expect(calmText(known(regions), [], now, 'utc')).toBe('No alert known; still being judged.');
});

it('does not say that all is well while fleets lack room', () => {
  const calm = known([region('eu-west-1')], { isComplete: true });
  const alert = (kind: string) => ({ facts: { trouble: { kind } } }) as Alert;
  const room = alert('littleRoom');
  const seen = (...alerts: Alert[]) => calmText(calm, alerts, now, 'utc');
  expect(seen(alert('interruptions'))).toBe('Nothing needs attention.');
  expect(seen(room)).toBe('No alert fires, but 1 fleet has little room.');
  expect(seen(room, room)).toBe('No alert fires, but 2 fleets have little room.');
});

it('says since when there is no data, and what was known last', () => {
  const blind = known([region('eu-west-1', { blindSince: at })], { blindSince: at });
  expect(calmText(blind, [], now, 'utc')).toBe('No data since 12:14. Last known: nothing wrong.');
});

it('does not say that all is well before the first data', () => {
  expect(calmText(known([]), [], now, 'utc')).toBe('No data yet.');
  expect(calmText(known([region('eu-west-1', { lastRead: null })]), [], now, 'utc')).toBe('No data yet.');
});

it('tells what is still to be read for the first time from what is too old', () => {
  const unread = { source: 'gameSessions', asOf: null, isLate: true, isUnread: true, failure: null } as const;
  const start = known([region('eu-west-1', { sources: [unread] }), region('us-east-1')]);
  expect(calmText(start, [], now, 'utc')).toBe('No alert known; still being read.');
  expect(freshText(start)).toBe('1 of 2 Regions fresh');
  expect(lackText(start, ['gameSessions'], now, 'utc')).toBe('without eu-west-1');
  const denied = known([region('eu-west-1', { sources: [{ ...unread, failure: 'denied' }] })]);
  expect(calmText(denied, [], now, 'utc')).toBe(
    'No alert known, but game sessions of eu-west-1 not up to date.',
  );
});

it('names the Region and the source that is missing', () => {
  const late = { source: 'eventQueue', asOf: at, isLate: true, isUnread: false, failure: null } as const;
  const regions = [region('eu-west-1', { sources: [late] }), region('us-east-1', { blindSince: at })];
  expect(calmText(known(regions), [], now, 'utc')).toBe(
    'No alert known, but the event queue of eu-west-1 not up to date; no data from us-east-1 since 12:14.',
  );
  expect(freshText(known(regions))).toBe('0 of 2 Regions fresh');
});

it('says what a figure over all Regions lacks', () => {
  const late = { source: 'capacity', asOf: at, isLate: true, isUnread: false, failure: null } as const;
  const three = known([region('eu-west-1', { sources: [late] }), region('us-east-1'), region('ap-south-1')]);
  expect(lackText(three, ['capacity'], now, 'utc')).toBe('without eu-west-1');
  expect(lackText(three, ['utilization'], now, 'utc')).toBeNull();
  const blind = known([region('eu-west-1', { blindSince: at })], { blindSince: at });
  expect(lackText(blind, ['fleets'], now, 'utc')).toBe('at 12:14, now unknown');
});

it('knows since when nothing is known of the fleets of a Region', () => {
  const late = { source: 'capacity', asOf: at, isLate: true, isUnread: false, failure: null } as const;
  const all = known([region('a', { sources: [late] }), region('b', { blindSince: now }), region('c')]);
  expect(['a', 'b', 'c', 'd'].map((name) => unknownSince(all, name))).toEqual([at, now, null, null]);
});

it('says of a range that is over only what was looked at', () => {
  expect(pastCalmText([], now, 'utc')).toBe('No alert was open in this range.');
  const times = ['eu-west-1', 'us-east-1'].map((name) => ({
    region: name,
    range: { from: at - 2 * 3_600_000, to: at - 3_600_000 },
  }));
  expect(pastCalmText(times, now, 'utc')).toBe(
    'No alert is known of this range, but not all of it is known. ' +
      'Nothing was collected from eu-west-1, us-east-1 10:14 – 11:14.',
  );
  const many = [5, 4, 3, 2, 1].map((minutes) => ({
    region: 'eu-west-1',
    range: { from: at - minutes * 600_000, to: at - minutes * 600_000 + minutes * 60_000 },
  }));
  expect(unwatchedText(many, now, 'utc')).toBe(
    'Nothing was collected from eu-west-1 11:24 – 11:29; from eu-west-1 11:34 – 11:38; ' +
      'from eu-west-1 11:44 – 11:47 and 2 times more.',
  );
});
