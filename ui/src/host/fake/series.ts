/** Owns the invented series, as the raw bytes the border carries. */
import { encodeSeries, type Band } from '$lib/series';
import type { SeriesName, SeriesRequest } from '$host/bindings.gen';
import { fleetById, fleets } from './fleets';
import { anchorMs, fleetLoad, type Load } from './load';
import { noise } from './random';

const ofLoad: Partial<Record<SeriesName, (load: Load) => number>> = {
  desiredInstances: (load) => load.desired,
  activeInstances: (load) => load.active,
  pendingInstances: (load) => load.pending,
  idleInstances: (load) => load.idle,
  terminatingInstances: (load) => load.terminating,
  minInstances: (load) => load.min,
  maxInstances: (load) => load.max,
  percentAvailableGameSessions: (load) => load.percentAvailable,
  policyTarget: (load) => load.target,
  activeGameSessions: (load) => load.sessions,
  availableGameSessions: (load) => load.processes - load.sessions,
  activeServerProcesses: (load) => load.processes,
  healthyServerProcesses: (load) => load.processes,
  currentPlayerSessions: (load) => load.players,
};

/** Placements a minute, and how many of them fail while the capped fleet has no room. */
export function placements(atMs: number): { fulfilled: number; failed: number } {
  const all =
    96 + 42 * Math.sin(((atMs % 86_400_000) / 86_400_000) * Math.PI * 2 - 2.3) + 22 * noise(901, atMs, 6e5);
  const failing = Math.max(0.01, Math.min(0.21, 0.21 - (anchorMs - atMs) / 9e6));
  const failed = Math.round(all * failing);
  return { fulfilled: Math.max(0, Math.round(all) - failed), failed };
}

/** We were not looking for a while yesterday; charts show the gap. */
const away = (atMs: number) => atMs > anchorMs - 30.2 * 36e5 && atMs < anchorMs - 29.6 * 36e5;

/** Looks inside a bucket wider than a minute, which is as often as figures come. */
const looks = 6;
/** What happened, counted inside a bucket. No fleet of this world is on spot instances that were taken back. */
const counters: Partial<Record<SeriesName, (atMs: number) => number>> = {
  serverProcessAbnormalTerminations: (atMs) => (noise(311, atMs, 11 * 60_000) > 0.86 ? 1 : 0),
  gameSessionInterruptions: () => 0,
};
const settings: readonly SeriesName[] = ['desiredInstances', 'minInstances', 'maxInstances', 'policyTarget'];

/** One figure at an instant; NaN where nothing is known. */
type Figure = (name: SeriesName, atMs: number) => number;

function figureOf({ scope }: SeriesRequest): Figure {
  const of =
    scope.kind === 'fleet'
      ? [fleetById(scope.fleetId)].filter((fleet) => fleet !== undefined)
      : scope.kind === 'all'
        ? [...fleets]
        : [];
  const keep = (name: string) => scope.kind !== 'fleet' || !scope.location || scope.location === name;
  let loaded = { at: Number.NaN, loads: [] as Load[] };
  return (name, at) => {
    if (away(at)) return Number.NaN;
    const read = ofLoad[name];
    if (name === 'placementsFulfilled') return placements(at).fulfilled;
    if (name === 'placementsFailed') return placements(at).failed;
    if (name === 'queueDepth') return Math.round(6 + 5 * noise(17, at, 4e5));
    const counted = counters[name];
    if (counted) return counted(at);
    if (!read || of.length === 0) return Number.NaN;
    if (loaded.at !== at) loaded = { at, loads: of.map((fleet) => fleetLoad(fleet, at, keep)) };
    const sum = loaded.loads.reduce((total, load) => total + read(load), 0);
    const mean = name === 'percentAvailableGameSessions' || name === 'policyTarget';
    return mean ? sum / of.length : sum;
  };
}

export function readSeries(request: SeriesRequest, nowMs: number): ArrayBuffer {
  const { fromMs, toMs } = request.range;
  const end = Math.min(toMs, nowMs);
  const wanted = Math.max(1, Math.ceil((end - fromMs) / request.maxPoints / 60_000)) * 60_000;
  const t: number[] = [];
  for (let at = Math.ceil(fromMs / wanted) * wanted; at <= end; at += wanted) t.push(at / 1000);
  const figure = figureOf(request);
  const inside = wanted > 60_000 ? looks : 1;
  const gaps = () => new Float64Array(t.length).fill(Number.NaN);
  const columns = request.names.map(gaps);
  const bands = request.names.map((name): Band | null =>
    inside > 1 && name !== 'policyTarget' && !counters[name] ? { low: gaps(), high: gaps() } : null,
  );
  t.forEach((seconds, row) => {
    const seen = request.names.map((): number[] => []);
    for (let look = 0; look < inside; look++) {
      const at = seconds * 1000 + (look * wanted) / inside;
      request.names.forEach((name, index) => at <= end && seen[index]?.push(figure(name, at)));
    }
    request.names.forEach((name, index) => {
      const values = (seen[index] ?? []).filter((value) => !Number.isNaN(value));
      const [column, band] = [columns[index], bands[index]];
      if (!column || values.length === 0) return;
      const sum = values.reduce((total, value) => total + value, 0);
      if (counters[name]) column[row] = sum;
      else column[row] = settings.includes(name) ? (values.at(-1) ?? Number.NaN) : sum / values.length;
      if (!band) return;
      band.low[row] = Math.min(...values);
      band.high[row] = Math.max(...values);
    });
  });
  return encodeSeries(t, columns, bands.map(moving));
}

/** A band that never moves says no more than its column, and does not cross the border. */
const moving = (band: Band | null): Band | null =>
  band?.high.some((high, row) => high > (band.low[row] ?? high)) ? band : null;
