/**
 * Owns which event queues bring no placements: none at all means unknown, not zero, and one of several means that
 * every figure is of a part.
 */
import type { FeedHealth } from '$live/types';

export const isUnheard = (feeds: readonly FeedHealth[]): boolean =>
  feeds.every((feed) => feed.state === 'notAdopted');

/** A queue that brings nothing. */
export type Gap = {
  readonly feed: FeedHealth;
  /** The last event it brought; null if there was none. */
  readonly sinceMs: number | null;
  /** Whether it is known not to be read; otherwise it is read and only silent. */
  readonly unread: boolean;
};

/** A queue that is read and silent for this long is pointed out while another one brings events. */
const silentMs = 15 * 60_000;

/** The queues that bring nothing while figures are shown. Empty where every queue is heard, or none is. */
export function gapsOf(feeds: readonly FeedHealth[], nowMs: number): readonly Gap[] {
  const gap = (feed: FeedHealth): Gap | null => {
    const unread =
      feed.state === 'notAdopted' ||
      feed.state === 'halted' ||
      feed.message !== null ||
      feed.otherReader !== null;
    const silent = feed.lastMessage === null || nowMs - feed.lastMessage > silentMs;
    return unread || (silent && feed.state === 'receiving')
      ? { feed, sinceMs: feed.lastMessage, unread }
      : null;
  };
  const gaps = feeds.map(gap).filter((one) => one !== null);
  return gaps.length < feeds.length ? gaps : gaps.filter((one) => one.unread);
}
