/** Owns whether any event queue is being read: if none is, no placements means unknown, not zero. */
import type { FeedHealth } from '$live/types';

export const isUnheard = (feeds: readonly FeedHealth[]): boolean =>
  feeds.every((feed) => feed.state === 'notAdopted');
