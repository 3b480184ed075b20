import { describe, expect, it } from 'vitest';
import type { Alert, FeedHealth } from '$live/types';
import { gapsOf, gapsUntil, isUnheard, muteRegions } from './heard';

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
const regions = (...feeds: FeedHealth[]) => gapsOf(feeds, unsaid, now).map((gap) => gap.feed.region);

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
    expect(gapsOf([feed('us-east-1'), mute], unsaid, now)[0]?.sinceMs).toBe(now - 20 * 60_000);
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
    expect(gapsOf(feeds, mute, now).map((gap) => [gap.feed.region, gap.sinceMs])).toEqual([
      ['eu-west-1', now - 4 * 60_000],
    ]);
    expect(gapsOf([feed('eu-west-1')], mute, now)).toHaveLength(1);
  });

  it('are not those of an alert that is over, or about something else', () => {
    const other = muteAlert('us-east-1', { facts: null });
    expect(muteRegions([muteAlert('eu-west-1', { endedAt: now }), other]).size).toBe(0);
  });

  it('do not concern a range that ended before they fell silent', () => {
    const mute = feed('eu-west-1', { lastMessage: now - 20 * 60_000 });
    const never = feed('ap-northeast-1', { lastMessage: null });
    const gaps = gapsOf([feed('us-east-1'), mute, never], unsaid, now);
    const until = (ms: number) => gapsUntil(gaps, ms).map((gap) => gap.feed.region);
    expect(until(now - 30 * 60_000)).toEqual(['ap-northeast-1']);
    expect(until(now)).toEqual(['eu-west-1', 'ap-northeast-1']);
  });

  it('leave everything unknown if none is adopted', () => {
    expect(isUnheard([feed('eu-west-1', { state: 'notAdopted' })])).toBe(true);
    expect(isUnheard([feed('eu-west-1', { state: 'notAdopted' }), feed('us-east-1')])).toBe(false);
  });
});
