/** Owns the invented comparison of two fleets for a repoint, and how sessions move after one. */
import type {
  ActivityRow,
  AliasRow,
  CompareLine,
  Freshness,
  FleetDetail,
  RepointComparison,
  RepointWatch,
} from '$host/bindings.gen';
import { fleets, type FakeFleet } from './fleets';
import { fleetLoad } from './load';
import { fleetDetail } from './views';

const minute = 60_000;

export function compareFleets(
  alias: AliasRow,
  to: FakeFleet,
  nowMs: number,
  freshness: Freshness,
): RepointComparison {
  const from = fleets.find((fleet) => fleet.id === alias.fleetId) ?? null;
  const old = from ? fleetDetail(from, nowMs, freshness) : null;
  const next = fleetDetail(to, nowMs, freshness);
  const missing = (from?.locations ?? [])
    .map((one) => one.name)
    .filter((name) => !next.row.locations.includes(name));
  const line = (label: string, read: (detail: FleetDetail) => string, severity: CompareLine['severity'], note: string | null = null): CompareLine => {
    const [before, after] = [old ? read(old) : '–', read(next)];
    return { label, from: before, to: after, severity: before === after ? 'same' : severity, note: before === after ? null : note };
  }; // prettier-ignore
  const free = (fleet: FakeFleet) => fleetLoad(fleet, nowMs).processes - fleetLoad(fleet, nowMs).sessions;
  const smaller = old !== null && next.row.max < old.row.max;
  const lines: CompareLine[] = [
    line('Status', (one) => one.row.status, 'bad', 'New sessions fail until the fleet is ACTIVE.'),
    line('Build or script', (one) => one.row.buildOrScript ?? '–', 'info'),
    line('Locations', (one) => one.row.locations.join(', '), missing.length > 0 ? 'warning' : 'info', missing.length > 0 ? `Lacks ${missing.join(', ')}.` : null),
    line('Instances, active of max', (one) => `${one.row.active} of ${one.row.max}`, smaller ? 'warning' : 'info', smaller ? 'Smaller than the fleet it takes over from.' : null),
    line('Free processes', (one) => String(free(one.row.fleetId === to.id ? to : (from ?? to))), 'info'),
    line('Ports', (one) => one.ports.map((port) => `${port.protocol} ${port.fromPort}–${port.toPort}`).join(', ') || '–', 'warning', 'Players may reach other ports.'),
    line('Certificate', (one) => one.certificate ?? '–', 'warning'),
    line('Server SDK', (one) => (one.row.kind === 'anywhere' ? '5.4.0' : '5.1.2'), 'info'),
    line('Processes an instance', (one) => String(one.runtime.reduce((sum, process) => sum + process.concurrent, 0)), 'info'),
  ]; // prettier-ignore
  const warnings: RepointComparison['warnings'] = [
    ...(to.state === 'pending' ? [{ severity: 'bad' as const, text: `${to.name} is not ACTIVE: it takes no session yet.` }] : []),
    ...(missing.length > 0 ? [{ severity: 'warning' as const, text: `${to.name} lacks ${missing.join(', ')}; players there get farther servers.` }] : []),
    ...(smaller ? [{ severity: 'warning' as const, text: `${to.name} may grow to ${next.row.max} instances, ${old.row.max} before.` }] : []),
  ]; // prettier-ignore
  return {
    aliasId: alias.aliasId,
    fromFleetId: from?.id ?? null,
    toFleetId: to.id,
    lines,
    warnings,
    queues: from?.queues ?? [],
  };
}

/** `change`: the repoint. */
export function watchRepoint(
  alias: AliasRow,
  change: ActivityRow,
  fromId: string | null,
  toId: string | null,
  nowMs: number,
  freshness: Freshness,
): RepointWatch {
  const sinceMs = change.atMs;
  const from = fleets.find((fleet) => fleet.id === fromId);
  const to = fleets.find((fleet) => fleet.id === toId);
  const start = from ? fleetLoad(from, sinceMs).sessions : 0;
  const base = to ? fleetLoad(to, sinceMs).sessions : 0;
  const at = (tMs: number) => {
    const passed = Math.max(0, (tMs - sinceMs) / minute);
    return {
      tMs,
      onOld: Math.round(start * Math.max(0, 1 - passed / 34)),
      onTarget: to ? base + Math.round(start * Math.min(1, passed / 36)) : 0,
    };
  };
  const now = at(nowMs);
  const stragglersUntilMs = sinceMs + 2 * minute;
  const fromMs = sinceMs - 5 * minute;
  return {
    activityId: change.id, aliasId: alias.aliasId, sinceMs, fromFleetId: fromId, fromName: from?.name ?? null, toFleetId: toId,
    toName: to?.name ?? null, newOnTarget: now.onTarget - base, newOnOld: from && nowMs > sinceMs + 4_000 ? 3 : 0,
    liveOnOld: now.onOld, playersOnOld: Math.round(now.onOld * 5.4), liveOnTarget: now.onTarget, stragglersUntilMs,
    settled: nowMs > stragglersUntilMs, canUndo: change.canUndo,
    series: Array.from({ length: 48 }, (_, index) => at(fromMs + ((nowMs - fromMs) * index) / 47)), freshness,
  }; // prettier-ignore
}
