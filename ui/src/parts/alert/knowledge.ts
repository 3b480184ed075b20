/** Owns how what is known, and what is not, is said in one line. */
import { moment, type Zone } from '$lib/time';
import type { Knowledge, RegionKnown, Source } from '$live/types';

const sources: Readonly<Record<Source, string>> = {
  fleets: 'fleets',
  capacity: 'capacity',
  gameSessions: 'game sessions',
  fleetEvents: 'fleet events',
  eventQueue: 'the event queue',
};

/** Whether a Region answers and nothing of it is late. */
export function isFresh(region: RegionKnown): boolean {
  return region.blindSince === null && region.sources.every((source) => !source.isLate);
}

/** What no alert means. Without fresh data it never means that all is well. */
export function calmText(knowledge: Knowledge, nowMs: number, zone: Zone): string {
  if (knowledge.isComplete) return 'Nothing needs attention.';
  if (knowledge.regions.every((region) => region.lastRead === null)) return 'No data yet.';
  if (knowledge.blindSince !== null)
    return `No data since ${moment(knowledge.blindSince, nowMs, zone)}. Last known: nothing wrong.`;
  const missing = knowledge.regions.flatMap((region) => {
    if (region.blindSince !== null)
      return [`no data from ${region.region} since ${moment(region.blindSince, nowMs, zone)}`];
    const late = region.sources.filter((source) => source.isLate).map((source) => sources[source.source]);
    return late.length === 0 ? [] : [`${late.join(', ')} of ${region.region} not up to date`];
  });
  if (missing.length === 0) return 'No alert known; still being judged.';
  return `No alert known, but ${missing.join('; ')}.`;
}

/** "3 of 3 Regions fresh". */
export function freshText({ regions }: Knowledge): string {
  const fresh = regions.filter(isFresh).length;
  return `${fresh} of ${regions.length} ${regions.length === 1 ? 'Region' : 'Regions'} fresh`;
}
