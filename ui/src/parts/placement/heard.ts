/**
 * Owns which event queues bring nothing of placements and tickets: none at all means unknown, not zero, and one of
 * several means that every figure is of a part.
 */
import { moment, type Zone } from '$lib/time';
import type { Alert, FeedHealth, Freshness, Knowledge, SourceKnown } from '$live/types';

export const isUnheard = (feeds: readonly FeedHealth[]): boolean =>
  feeds.every((feed) => feed.state === 'notAdopted');

/** A queue whose events are missing, all or some. */
export type Gap = {
  readonly region: string;
  /** Null while only the store knows of the queue. */
  readonly queueUrl: string | null;
  /** Since when; null if no event came since Liftdeck was started, or ever. */
  readonly sinceMs: number | null;
  /** Whether it was ever read. */
  readonly isKnown: boolean;
  /** Whether it is known to lack events; otherwise it is read and only silent. */
  readonly isSure: boolean;
  /** Whether only some are missing, those that another reader took. */
  readonly isShared: boolean;
};

/** What of the events is missing. */
export type Heard = {
  readonly gaps: readonly Gap[];
  /** How many queues there are. */
  readonly queues: number;
  /** How many Regions have one. */
  readonly regions: number;
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

const queueOf = (knowledge: Knowledge | null, region: string): SourceKnown | undefined =>
  knowledge?.regions
    .find((one) => one.region === region)
    ?.sources.find((source) => source.source === 'eventQueue');

/** As of when events are known: of a Region, or of all. Null where there is no event queue. */
export function heardFreshness(knowledge: Knowledge | null, region: string | null = null): Freshness | null {
  const sources = (knowledge?.regions ?? [])
    .filter((one) => region === null || one.region === region)
    .flatMap((one) => one.sources.filter((source) => source.source === 'eventQueue'));
  if (sources.length === 0) return null;
  const confirmed = sources.flatMap(({ asOf }) => (asOf === null ? [] : [asOf]));
  return {
    asOf: confirmed.length < sources.length ? null : Math.min(...confirmed),
    stale: sources.some((source) => source.isLate),
  };
}

/**
 * What is missing while figures of events are shown, the same for every such figure. Nothing where every queue is
 * heard, or none is and nothing says that any should be. `mute` are the Regions of alerts, so that no screen is silent
 * about what an alert says.
 */
export function heardOf(
  feeds: readonly FeedHealth[],
  knowledge: Knowledge | null,
  mute: ReadonlyMap<string, number>,
  nowMs: number,
): Heard {
  const gap = (feed: FeedHealth): Gap | null => {
    const { region, queueUrl, lastMessage, otherReader } = feed;
    const source = queueOf(knowledge, region);
    // The store remembers up to when the queue was read; the last message is forgotten when the program ends.
    const readUntil = source?.asOf ?? lastMessage;
    const known = { region, queueUrl, isKnown: readUntil !== null, isSure: true, isShared: false };
    const muteSince = mute.get(region);
    if (muteSince !== undefined) return { ...known, sinceMs: muteSince };
    const isUnread =
      feed.state === 'notAdopted' || feed.state === 'halted' || feed.message !== null || isBehind(source);
    if (isUnread) return { ...known, sinceMs: readUntil };
    if (otherReader !== null) return { ...known, sinceMs: otherReader.since, isShared: true };
    const isSilent = lastMessage === null || nowMs - lastMessage > silentMs;
    return isSilent && feed.state === 'receiving' ? { ...known, sinceMs: lastMessage, isSure: false } : null;
  };
  const others = (knowledge?.regions ?? []).flatMap(({ region }): Gap[] => {
    const source = queueOf(knowledge, region);
    if (!isBehind(source) || feeds.some((feed) => feed.region === region)) return [];
    const sinceMs = source?.asOf ?? null;
    return [{ region, queueUrl: null, sinceMs, isKnown: sinceMs !== null, isSure: true, isShared: false }];
  });
  const gaps = [...feeds.map(gap).filter((one) => one !== null), ...others];
  const queues = feeds.length + others.length;
  return {
    gaps: gaps.length < queues ? gaps : gaps.filter((one) => one.isSure),
    queues,
    regions: new Set([...feeds, ...others].map((one) => one.region)).size,
  };
}

const isBehind = (source: SourceKnown | undefined): boolean =>
  source !== undefined && (source.isLate || source.isUnread);

/** Those that concern a range: what ended before a queue fell silent is whole. */
export const gapsUntil = (gaps: readonly Gap[], untilMs: number): readonly Gap[] =>
  gaps.filter((gap) => gap.sinceMs === null || gap.sinceMs < untilMs);

/** What a figure made of the events of all Regions lacks: "at 12:14, now unknown", "without eu-west-1"; null when nothing. */
export function gapText({ gaps, regions }: Heard, nowMs: number, zone: Zone): string | null {
  const without = [...new Set(gaps.map((gap) => gap.region))];
  if (without.length === 0) return null;
  const moments = gaps.flatMap(({ sinceMs }) => (sinceMs === null ? [] : [sinceMs]));
  if (without.length === regions && moments.length === gaps.length)
    return `at ${moment(Math.max(...moments), nowMs, zone)}, now unknown`;
  return without.length === 1 && regions > 1
    ? `without ${without[0]}`
    : `without ${without.length} of ${regions} Regions`;
}
