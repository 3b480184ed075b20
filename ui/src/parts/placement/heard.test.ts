import { describe, expect, it } from 'vitest';
import type { FeedHealth } from '$live/types';
import { gapsOf, isUnheard } from './heard';

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
const regions = (...feeds: FeedHealth[]) => gapsOf(feeds, now).map((gap) => gap.feed.region);

describe('queues that bring no placements', () => {
  it('are named beside those that do', () => {
    const mute = feed('eu-west-1', { lastMessage: now - 20 * 60_000 });
    expect(regions(feed('us-east-1'), mute)).toEqual(['eu-west-1']);
    expect(gapsOf([feed('us-east-1'), mute], now)[0]?.sinceMs).toBe(now - 20 * 60_000);
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

  it('leave everything unknown if none is adopted', () => {
    expect(isUnheard([feed('eu-west-1', { state: 'notAdopted' })])).toBe(true);
    expect(isUnheard([feed('eu-west-1', { state: 'notAdopted' }), feed('us-east-1')])).toBe(false);
  });
});
