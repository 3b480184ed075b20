/** Owns the invented placements: what became of each, and how long it took. */
import type { FeedHealth, Freshness, PlacementPage, PlacementQuery, PlacementRow } from '$host/bindings.gen';
import { fleets } from './fleets';
import { anchorMs } from './load';
import { chance, pick, uuid } from './random';
import { sessions } from './sessions';

const queued = fleets.filter((fleet) => fleet.queues.length > 0);
const total = 6_000;

function make(index: number): PlacementRow {
  const fleet = pick(queued, 91, index);
  const endMs = anchorMs - Math.round((index / total) * 24 * 36e5 + chance(92, index) * 9_000);
  const recent = anchorMs - endMs < 20 * 60_000 && fleet.capped;
  const roll = chance(93, index) - (recent ? 0.2 : 0);
  const type = roll < 0.006 ? 'PlacementTimedOut' : roll < 0.012 ? 'PlacementFailed' : roll < 0.02 ? 'PlacementCancelled' : 'PlacementFulfilled'; // prettier-ignore
  const slow = -Math.log(1 - chance(94, index) * 0.999);
  const durationMs = type === 'PlacementTimedOut' ? 30_000 : Math.round(700 + slow * 3_400);
  const placed = type === 'PlacementFulfilled';
  const session = sessions[index % sessions.length];
  return {
    key: `${index}`, placementId: uuid(95, index), type, queue: fleet.queues[0] ?? '', region: fleet.region,
    startMs: endMs - durationMs, endMs, durationMs, gameSessionId: placed ? (session?.gameSessionId ?? null) : null,
    fleetId: placed ? fleet.id : null, location: placed ? pick(fleet.locations, 96, index).name : null,
    players: 1 + Math.floor(chance(97, index) * 8),
  }; // prettier-ignore
}

const all = Array.from({ length: total }, (_, index) => make(index));

export function listPlacements(
  query: PlacementQuery,
  feeds: FeedHealth[],
  freshness: Freshness,
): PlacementPage {
  const inRange = all.filter(
    (row) =>
      (row.endMs ?? 0) >= query.range.fromMs &&
      (row.endMs ?? 0) <= query.range.toMs &&
      (!query.queue || row.queue === query.queue) &&
      (!query.text || row.placementId.startsWith(query.text)),
  );
  const count = (type: PlacementRow['type']) => inRange.filter((row) => row.type === type).length;
  const rows = inRange.filter((row) => query.types.length === 0 || query.types.includes(row.type));
  const times = inRange
    .filter((row) => row.type === 'PlacementFulfilled')
    .map((row) => row.durationMs ?? 0)
    .sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? null;
  const edges = [500, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 20_000, 30_000, 60_000];
  const histogram = edges.map((upToMs, index) => ({
    upToMs,
    count: times.filter((time) => time <= upToMs && time > (edges[index - 1] ?? 0)).length,
  }));
  return {
    rows: rows.slice(query.page.offset, query.page.offset + query.page.limit),
    total: rows.length,
    funnel: {
      fulfilled: count('PlacementFulfilled'), cancelled: count('PlacementCancelled'),
      timedOut: count('PlacementTimedOut'), failed: count('PlacementFailed'),
    },
    p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), histogram, feeds, freshness,
  }; // prettier-ignore
}
