/**
 * Owns which event queues bring nothing of placements and tickets: none at all means unknown, not zero, and one of
 * several means that every figure is of a part.
 */
import type { Alert, FeedHealth } from '$live/types';

export const isUnheard = (feeds: readonly FeedHealth[]): boolean =>
  feeds.every((feed) => feed.state === 'notAdopted');

/** A queue that brings nothing. */
export type Gap = {
  readonly feed: FeedHealth;
  /** Since when; null if it never brought anything. */
  readonly sinceMs: number | null;
  /** Whether it is known to lack events; otherwise it is read and only silent. */
  readonly isSure: boolean;
};

/** A queue that is read and silent for this long is pointed out while another one brings events. */
const silentMs = 15 * 60_000;

/** Regions whose queues bring none of the events that must have happened, as an alert that fires says, and since when. */
export const muteRegions = (
  alerts: readonly Pick<Alert, 'region' | 'since' | 'endedAt' | 'facts'>[],
): ReadonlyMap<string, number> =>
  new Map(
    alerts.flatMap(({ region, since, endedAt, facts }) =>
      region !== null && endedAt === null && facts?.trouble.kind === 'feedMute' ? [[region, since]] : [],
    ),
  );

/**
 * The queues that bring nothing while figures are shown. Empty where every queue is heard, or none is and nothing says
 * that any should be. `mute` are the Regions of alerts, so that no screen is silent about what an alert says.
 */
export function gapsOf(
  feeds: readonly FeedHealth[],
  mute: ReadonlyMap<string, number>,
  nowMs: number,
): readonly Gap[] {
  const gap = (feed: FeedHealth): Gap | null => {
    const muteSince = mute.get(feed.region);
    if (muteSince !== undefined) return { feed, sinceMs: muteSince, isSure: true };
    const isUnread =
      feed.state === 'notAdopted' ||
      feed.state === 'halted' ||
      feed.message !== null ||
      feed.otherReader !== null;
    const isSilent = feed.lastMessage === null || nowMs - feed.lastMessage > silentMs;
    return isUnread || (isSilent && feed.state === 'receiving')
      ? { feed, sinceMs: feed.lastMessage, isSure: isUnread }
      : null;
  };
  const gaps = feeds.map(gap).filter((one) => one !== null);
  return gaps.length < feeds.length ? gaps : gaps.filter((one) => one.isSure);
}

/** Those that concern a range: what ended before a queue fell silent is whole. */
export const gapsUntil = (gaps: readonly Gap[], untilMs: number): readonly Gap[] =>
  gaps.filter((gap) => gap.sinceMs === null || gap.sinceMs < untilMs);
