import { describe, expect, it } from 'vitest';
import type { Alert, FeedHealth, Knowledge, SourceKnown } from '$live/types';
import { gapsUntil, gapText, heardFreshness, heardOf, isUnheard, muteRegions } from './heard';

const now = 100 * 60_000;
const feed = (region: string, change: Partial<FeedHealth> = {}): FeedHealth => ({
  region,
  queueUrl: `https://sqs.${region}.amazonaws.com/1/events`,
  state: 'receiving',
  received: 1,
  stored: 1,
  duplicates: 0,
  quarantined: 0,
  unconfirmed: 0,
  left: 0,
  noRoom: 0,
  waiting: null,
  otherReader: null,
  lastMessage: now - 5_000,
  message: null,
  ...change,
});
const unsaid: ReadonlyMap<string, number> = new Map();
const gapsOf = (feeds: readonly FeedHealth[], mute = unsaid, knowledge: Knowledge | null = null) =>
  heardOf(feeds, knowledge, mute, now).gaps;
const regions = (...feeds: FeedHealth[]) => gapsOf(feeds).map((gap) => gap.region);

/** What the store knows of the event queues: Region and as of when; late after 3 min. */
const known = (...queues: [region: string, asOf: number | null][]): Knowledge => ({
  regions: queues.map(([region, asOf]) => ({
    region,
    lastRead: now,
    blindSince: null,
    failure: null,
    failed: 0,
    sources: [
      { source: 'capacity', asOf: now, isLate: false, isUnread: false, failure: null },
      {
        source: 'eventQueue',
        asOf,
        isLate: asOf === null || now - asOf > 3 * 60_000,
        isUnread: asOf === null,
        failure: null,
      } satisfies SourceKnown,
    ],
  })),
  blindSince: null,
  judgedAt: now,
  isComplete: false,
});

const muteAlert = (region: string, change: Partial<Alert> = {}) => ({
  region,
  since: now - 4 * 60_000,
  endedAt: null,
  facts: {
    trouble: { kind: 'feedMute', region, placed: 9, lastEvent: null } as const,
    hit: { count: 9, of: null },
    causes: [],
    target: { kind: 'health' } as const,
  } satisfies Alert['facts'],
  ...change,
});

describe('queues that bring no placements', () => {
  it('are named beside those that do', () => {
    const mute = feed('eu-west-1', { lastMessage: now - 20 * 60_000 });
    expect(regions(feed('us-east-1'), mute)).toEqual(['eu-west-1']);
    expect(gapsOf([feed('us-east-1'), mute])[0]?.sinceMs).toBe(now - 20 * 60_000);
    expect(regions(feed('us-east-1'), feed('eu-west-1', { lastMessage: null }))).toEqual(['eu-west-1']);
  });

  it('are not named for a short silence, or when all are silent', () => {
    expect(regions(feed('us-east-1'), feed('eu-west-1', { lastMessage: now - 60_000 }))).toEqual([]);
    const silent = { lastMessage: null };
    expect(regions(feed('us-east-1', silent), feed('eu-west-1', silent))).toEqual([]);
  });

  it('are named even when all are, if they cannot be read', () => {
    expect(regions(feed('eu-west-1', { message: 'refused' }))).toEqual(['eu-west-1']);
    expect(regions(feed('eu-west-1', { state: 'halted' }), feed('us-east-1'))).toEqual(['eu-west-1']);
  });

  it('are named as soon as an alert says so, with its moment', () => {
    const mute = muteRegions([muteAlert('eu-west-1')]);
    const feeds = [feed('us-east-1'), feed('eu-west-1', { lastMessage: now - 5 * 60_000 })];
    expect(gapsOf(feeds, mute).map((gap) => [gap.region, gap.sinceMs])).toEqual([
      ['eu-west-1', now - 4 * 60_000],
    ]);
    expect(gapsOf([feed('eu-west-1')], mute)).toHaveLength(1);
  });

  it('are not those of an alert that is over, or about something else', () => {
    const other = muteAlert('us-east-1', { facts: null });
    expect(muteRegions([muteAlert('eu-west-1', { endedAt: now }), other]).size).toBe(0);
  });

  it('do not concern a range that ended before they fell silent', () => {
    const mute = feed('eu-west-1', { lastMessage: now - 20 * 60_000 });
    const never = feed('ap-northeast-1', { lastMessage: null });
    const gaps = gapsOf([feed('us-east-1'), mute, never]);
    const until = (ms: number) => gapsUntil(gaps, ms).map((gap) => gap.region);
    expect(until(now - 30 * 60_000)).toEqual(['ap-northeast-1']);
    expect(until(now)).toEqual(['eu-west-1', 'ap-northeast-1']);
  });

  it('leave everything unknown if none is adopted', () => {
    expect(isUnheard([feed('eu-west-1', { state: 'notAdopted' })])).toBe(true);
    expect(isUnheard([feed('eu-west-1', { state: 'notAdopted' }), feed('us-east-1')])).toBe(false);
  });
});

describe('a queue that cannot be read', () => {
  const refused = { state: 'starting', lastMessage: null, message: 'refused' } as const;
  const at = now - 60 * 60_000;

  it('brings nothing since it was read last, also once the program was started again', () => {
    const before = feed('eu-west-1', { message: 'refused', lastMessage: now - 70 * 60_000 });
    for (const one of [before, feed('eu-west-1', refused), feed('eu-west-1', { lastMessage: null })]) {
      expect(gapsOf([one], unsaid, known(['eu-west-1', at]))).toMatchObject([{ sinceMs: at, isSure: true }]);
    }
  });

  it('is told from one that was never read', () => {
    expect(gapsOf([feed('eu-west-1', refused)], unsaid, known(['eu-west-1', null]))).toMatchObject([
      { sinceMs: null, isKnown: false },
    ]);
    const silent = feed('eu-west-1', { lastMessage: null });
    expect(gapsOf([silent, feed('us-east-1')], unsaid, known(['eu-west-1', now]))).toMatchObject([
      { sinceMs: null, isKnown: true, isSure: false },
    ]);
  });

  it('is missing also before the collector has named it', () => {
    const { gaps, queues } = heardOf(
      [feed('us-east-1')],
      known(['eu-west-1', at], ['us-east-1', now]),
      unsaid,
      now,
    );
    expect(gaps).toMatchObject([{ region: 'eu-west-1', queueUrl: null, sinceMs: at }]);
    expect(queues).toBe(2);
  });

  it('that another reader empties too brings a part since then', () => {
    const shared = feed('eu-west-1', { otherReader: { deliveries: 3, since: at } });
    expect(gapsOf([shared], unsaid, known(['eu-west-1', now]))).toMatchObject([
      { sinceMs: at, isShared: true },
    ]);
  });

  it('says how old what is known of it is, alone or among others', () => {
    const both = known(['eu-west-1', at], ['us-east-1', now]);
    expect(heardFreshness(both)).toEqual({ asOf: at, stale: true });
    expect(heardFreshness(both, 'us-east-1')).toEqual({ asOf: now, stale: false });
    expect(heardFreshness(known(['eu-west-1', null], ['us-east-1', now]))).toEqual({
      asOf: null,
      stale: true,
    });
    expect(heardFreshness(known())).toBeNull();
  });
});

describe('a figure of events', () => {
  const text = (feeds: FeedHealth[], knowledge: Knowledge) =>
    gapText(heardOf(feeds, knowledge, unsaid, now), now, 'utc');

  it('is a part exactly while queues are named that bring nothing', () => {
    const us = feed('us-east-1');
    const all = known(['eu-west-1', now], ['us-east-1', now]);
    expect(text([us, feed('eu-west-1')], all)).toBeNull();
    expect(text([us, feed('eu-west-1', { lastMessage: now - 20 * 60_000 })], all)).toBe('without eu-west-1');
    expect(text([us, feed('eu-west-1', { state: 'notAdopted' })], all)).toBe('without eu-west-1');
    expect(text([us, feed('eu-west-1')], known(['eu-west-1', 0], ['us-east-1', now]))).toBe(
      'without eu-west-1',
    );
  });

  it('is not known any more when no queue is read, since the last was', () => {
    const feeds = [feed('us-east-1', { message: 'refused' }), feed('eu-west-1', { message: 'refused' })];
    expect(text(feeds, known(['eu-west-1', 0], ['us-east-1', 60_000]))).toBe('at 00:01, now unknown');
    const never = feeds.map((one) => ({ ...one, lastMessage: null }));
    expect(text(never, known(['eu-west-1', null], ['us-east-1', null]))).toBe('without 2 of 2 Regions');
  });
});
