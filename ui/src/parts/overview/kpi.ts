/** Owns the name, colour, format and comparison of each figure on the overview. */
import { change, count, signed } from '$lib/numbers';
import { duration } from '$lib/time';
import type { Kpi } from '$live/types';

export const kpiTitle: Record<Kpi['key'], string> = {
  playersOnline: 'Players online',
  activeSessions: 'Active sessions',
  instances: 'Instances',
  freeProcesses: 'Free processes',
  placementsPerMinute: 'Placements / min',
  matchmakingWaitP95: 'Matchmaking wait p95',
};

export const kpiColor: Record<Kpi['key'], string> = {
  playersOnline: 'var(--series-1)',
  activeSessions: 'var(--series-1)',
  instances: 'var(--series-4)',
  freeProcesses: 'var(--series-2)',
  placementsPerMinute: 'var(--series-5)',
  matchmakingWaitP95: 'var(--series-3)',
};

/** What a click on the figure opens. */
export const kpiPath: Record<Kpi['key'], readonly string[]> = {
  playersOnline: ['players'],
  activeSessions: ['sessions'],
  instances: ['fleets'],
  freeProcesses: ['fleets'],
  placementsPerMinute: ['placements'],
  matchmakingWaitP95: ['placements'],
};

const isWait = (kpi: Kpi) => kpi.key === 'matchmakingWaitP95';

export function kpiValue(kpi: Kpi): string {
  if (kpi.value !== null && isWait(kpi)) return duration(kpi.value * 1000);
  return count(kpi.value);
}

/** Against the same time yesterday; null when there is no data for yesterday. */
export function kpiChange(kpi: Kpi): string | null {
  if (kpi.value === null || kpi.yesterday === null) return null;
  if (isWait(kpi)) return `${signed(kpi.value - kpi.yesterday)} s`;
  if (kpi.key === 'instances') return signed(kpi.value - kpi.yesterday);
  return change(kpi.value, kpi.yesterday);
}
