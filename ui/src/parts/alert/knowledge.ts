/** Owns how what is known, and what is not, is said in one line. */
import { rangeLabel } from '$lib/range';
import { counted } from '$lib/text';
import { moment, type Zone } from '$lib/time';
import type { Alert, Knowledge, RegionKnown, Source, SourceKnown, Unwatched } from '$live/types';

const sources: Readonly<Record<Source, string>> = {
  fleets: 'fleets',
  locations: 'locations',
  capacity: 'capacity',
  utilization: 'utilization',
  scalingPolicies: 'scaling policies',
  instanceLimits: 'instance limits',
  gameSessions: 'game sessions',
  fleetEvents: 'fleet events',
  queues: 'queues',
  aliases: 'aliases',
  eventQueue: 'the event queue',
};

/** Whether a Region answers and nothing of it is late or still to be read. */
export function isFresh(region: RegionKnown): boolean {
  return region.blindSince === null && region.sources.every((source) => !source.isLate && !source.isUnread);
}

/** What was asked for and is too old. What is about to be read for the first time is not. */
const isBehind = (source: SourceKnown): boolean =>
  source.isLate && (!source.isUnread || source.asOf !== null || source.failure !== null);

/** Whether AWS has never answered about any of these Regions. */
export const isNeverRead = ({ regions }: Knowledge): boolean =>
  regions.every((region) => region.lastRead === null);

/** How many fleets have little room. That is no alert, because automatic scaling lives on it; nor is it calm. */
export const withLittleRoom = (seen: readonly Alert[]): number =>
  seen.filter((one) => one.facts?.trouble.kind === 'littleRoom').length;

/** What no alert means. Without fresh data it never means that all is well. */
export function calmText(knowledge: Knowledge, seen: readonly Alert[], nowMs: number, zone: Zone): string {
  if (knowledge.isComplete) {
    const fleets = withLittleRoom(seen);
    if (fleets === 0) return 'Nothing needs attention.';
    return `No alert fires, but ${counted(fleets, 'fleet')} ${fleets === 1 ? 'has' : 'have'} little room.`;
  }
  if (isNeverRead(knowledge)) return 'No data yet.';
  if (knowledge.blindSince !== null)
    return `No data since ${moment(knowledge.blindSince, nowMs, zone)}. Last known: nothing wrong.`;
  const missing = knowledge.regions.flatMap((region) => {
    if (region.blindSince !== null)
      return [`no data from ${region.region} since ${moment(region.blindSince, nowMs, zone)}`];
    const late = region.sources.filter(isBehind).map((source) => sources[source.source]);
    return late.length === 0 ? [] : [`${late.join(', ')} of ${region.region} not up to date`];
  });
  if (missing.length > 0) return `No alert known, but ${missing.join('; ')}.`;
  return knowledge.regions.every(isFresh)
    ? 'No alert known; still being judged.'
    : 'No alert known; still being read.';
}

/** When nothing was collected of a range that is over: "from eu-west-1 14:00 – 15:00"; the longest times first. */
export function unwatchedText(unwatched: readonly Unwatched[], nowMs: number, zone: Zone): string {
  const most = 3;
  const regions = new Map<string, string[]>();
  const length = ({ range }: Unwatched) => range.to - range.from;
  for (const { region, range } of unwatched.toSorted((one, other) => length(other) - length(one))) {
    const span = rangeLabel({ kind: 'fixed', ...range }, nowMs, zone);
    regions.set(span, [...(regions.get(span) ?? []), region]);
  }
  const parts = [...regions].map(([span, of]) => `from ${of.join(', ')} ${span}`);
  const more = parts.length > most ? ` and ${parts.length - most} times more` : '';
  return `Nothing was collected ${parts.slice(0, most).join('; ')}${more}.`;
}

/** What no alert means in a range that is over: nothing about a time in which nothing was collected. */
export const pastCalmText = (unwatched: readonly Unwatched[], nowMs: number, zone: Zone): string =>
  unwatched.length === 0
    ? 'No alert was open in this range.'
    : `No alert is known of this range, but not all of it is known. ${unwatchedText(unwatched, nowMs, zone)}`;

/** "3 of 3 Regions fresh". */
export function freshText({ regions }: Knowledge): string {
  const fresh = regions.filter(isFresh).length;
  return `${fresh} of ${regions.length} ${regions.length === 1 ? 'Region' : 'Regions'} fresh`;
}

/** What a figure of what was read from all Regions lacks: "at 12:14, now unknown", "without eu-west-1"; null when nothing. */
export function lackText(
  { regions, blindSince }: Knowledge,
  needs: readonly Source[],
  nowMs: number,
  zone: Zone,
): string | null {
  if (blindSince !== null) return `at ${moment(blindSince, nowMs, zone)}, now unknown`;
  const lacks = (region: RegionKnown) =>
    region.blindSince !== null ||
    region.sources.some((source) => (source.isLate || source.isUnread) && needs.includes(source.source));
  const without = regions.filter(lacks).map((region) => region.region);
  if (without.length === 0) return null;
  return without.length === 1
    ? `without ${without[0]}`
    : `without ${without.length} of ${regions.length} Regions`;
}

/** Since when nothing is known of the fleets of a Region; null while something is. */
export function unknownSince({ regions }: Knowledge, region: string): number | null {
  const known = regions.find((one) => one.region === region);
  if (!known) return null;
  const capacity = known.sources.find((source) => source.source === 'capacity');
  return known.blindSince ?? (capacity?.isLate ? capacity.asOf : null);
}
