/** Owns the invented series, as the raw bytes the border carries. */
import { encodeSeries } from '$lib/series';
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

export function readSeries(request: SeriesRequest, nowMs: number): ArrayBuffer {
  const { fromMs, toMs } = request.range;
  const end = Math.min(toMs, nowMs);
  const wanted = Math.max(1, Math.ceil((end - fromMs) / request.maxPoints / 60_000)) * 60_000;
  const t: number[] = [];
  for (let at = Math.ceil(fromMs / wanted) * wanted; at <= end; at += wanted) t.push(at / 1000);
  const scope = request.scope;
  const columns = request.names.map(() => new Float64Array(t.length).fill(Number.NaN));
  t.forEach((seconds, row) => {
    const at = seconds * 1000;
    if (away(at)) return;
    const loads =
      scope.kind === 'fleet'
        ? [fleetById(scope.fleetId)].filter((fleet) => fleet !== undefined)
        : scope.kind === 'all'
          ? [...fleets]
          : [];
    const each = loads.map((fleet) =>
      fleetLoad(fleet, at, (name) => scope.kind !== 'fleet' || !scope.location || scope.location === name),
    );
    request.names.forEach((name, index) => {
      const column = columns[index];
      const read = ofLoad[name];
      if (!column) return;
      if (read && each.length > 0) {
        const sum = each.reduce((total, load) => total + read(load), 0);
        const mean = name === 'percentAvailableGameSessions' || name === 'policyTarget';
        column[row] = mean ? sum / each.length : sum;
      } else if (name === 'placementsFulfilled') column[row] = placements(at).fulfilled;
      else if (name === 'placementsFailed') column[row] = placements(at).failed;
      else if (name === 'queueDepth') column[row] = Math.round(6 + 5 * noise(17, at, 4e5));
    });
  });
  return encodeSeries(t, columns);
}
