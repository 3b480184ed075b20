/** Owns the invented placements: what became of each, and how long it took. */
import type {
  FeedHealth, Freshness, PlacementGroup, PlacementPage, PlacementQuery, PlacementRow, PlacementScope, PlacementSplit, Range,
} from '$host/bindings.gen'; // prettier-ignore
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

/** What was placed nowhere has no fleet. */
const nowhere = 'nowhere';

const inScope = (scope: PlacementScope, range: Range) =>
  all.filter(
    (row) =>
      (row.endMs ?? 0) >= range.fromMs &&
      (row.endMs ?? 0) <= range.toMs &&
      (!scope.queue || row.queue === scope.queue) &&
      (!scope.region || row.region === scope.region) &&
      (!scope.destination || (row.fleetId ?? nowhere) === scope.destination),
  );

/** Outcomes and percentiles of some placements. */
function figures(rows: readonly PlacementRow[]) {
  const count = (type: PlacementRow['type']) => rows.filter((row) => row.type === type).length;
  const times = rows
    .filter((row) => row.type === 'PlacementFulfilled')
    .map((row) => row.durationMs ?? 0)
    .sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? null;
  const funnel = {
    fulfilled: count('PlacementFulfilled'), cancelled: count('PlacementCancelled'),
    timedOut: count('PlacementTimedOut'), failed: count('PlacementFailed'),
  }; // prettier-ignore
  return { times, figures: { funnel, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) } };
}

export function splitPlacements(
  scope: PlacementScope,
  split: PlacementSplit,
  range: Range,
): PlacementGroup[] {
  const keyOf = (row: PlacementRow) =>
    split === 'queue' ? row.queue : split === 'region' ? row.region : (row.fleetId ?? nowhere);
  const groups = new Map<string, PlacementRow[]>();
  for (const row of inScope(scope, range)) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  const nameOf = (key: string) =>
    key === nowhere ? 'placed nowhere' : (fleets.find((fleet) => fleet.id === key)?.name ?? key);
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([key, rows]) => ({ key, label: nameOf(key), ...figures(rows).figures }));
}

export function listPlacements(
  query: PlacementQuery,
  feeds: FeedHealth[],
  freshness: Freshness,
): PlacementPage {
  const inRange = inScope(query.scope, query.range).filter(
    (row) => !query.text || row.placementId.startsWith(query.text),
  );
  const rows = inRange.filter((row) => query.types.length === 0 || query.types.includes(row.type));
  const { times, figures: told } = figures(inRange);
  const edges = [500, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 20_000, 30_000, 60_000];
  const histogram = edges.map((upToMs, index) => ({
    upToMs,
    count: times.filter((time) => time <= upToMs && time > (edges[index - 1] ?? 0)).length,
  }));
  return {
    rows: rows.slice(query.page.offset, query.page.offset + query.page.limit),
    total: rows.length,
    ...told,
    histogram,
    feeds,
    freshness,
  };
}
