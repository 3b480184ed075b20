/** Owns whether anything is received at all: where nothing is, no placement means not known and never none. */
import type { FeedHealth } from '$live/types';

export const isUnheard = (feeds: readonly FeedHealth[]): boolean =>
  feeds.every((feed) => feed.state === 'notAdopted');
