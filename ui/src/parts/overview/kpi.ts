/** Owns the name, colour, format and usual band of each figure on the overview. */
import { count, rate, span } from '$lib/numbers';
import { counted } from '$lib/text';
import { duration } from '$lib/time';
import { href } from '$live/address.svelte';
import type { Kpi, Source } from '$live/types';

export const kpiTitle: Record<Kpi['key'], string> = {
  crashes: 'Crashes in 15 min',
  playersOnline: 'Players online',
  activeSessions: 'Active sessions',
  instances: 'Instances',
  freeProcesses: 'Free processes',
  placementsPerMinute: 'Placements / min',
  matchmakingWaitP95: 'Matchmaking wait p95',
};

export const kpiColor: Record<Kpi['key'], string> = {
  crashes: 'var(--bad)',
  playersOnline: 'var(--series-1)',
  activeSessions: 'var(--series-1)',
  instances: 'var(--series-4)',
  freeProcesses: 'var(--series-2)',
  placementsPerMinute: 'var(--series-5)',
  matchmakingWaitP95: 'var(--series-3)',
};

/** Figures made of the events of queues, which come by another way than what is read from GameLift. */
type OfEvents = 'placementsPerMinute' | 'matchmakingWaitP95';

export const isOfEvents = (key: Kpi['key']): key is OfEvents =>
  key === 'placementsPerMinute' || key === 'matchmakingWaitP95';

/** The sources without which another figure is not known, or only a part of it. */
export const kpiSources: Record<Exclude<Kpi['key'], OfEvents>, readonly Source[]> = {
  crashes: ['fleetEvents'],
  playersOnline: ['utilization', 'gameSessions'],
  activeSessions: ['utilization', 'gameSessions'],
  instances: ['capacity'],
  freeProcesses: ['utilization', 'gameSessions'],
};

/** What a click on the figure opens. */
export function kpiHref(key: Kpi['key']): string {
  switch (key) {
    case 'crashes':
      return href(['sessions'], { q: 'ended:crashed' });
    case 'playersOnline':
      return href(['players']);
    case 'activeSessions':
      return href(['sessions']);
    case 'instances':
    case 'freeProcesses':
      return href(['fleets']);
    case 'placementsPerMinute':
      return href(['placements']);
    case 'matchmakingWaitP95':
      return href(['matchmaking']);
  }
}

const isWait = (kpi: Kpi) => kpi.key === 'matchmakingWaitP95';

const isRate = (kpi: Kpi) => kpi.key === 'placementsPerMinute';

export function kpiValue(kpi: Kpi): string {
  if (kpi.value !== null && isWait(kpi)) return duration(kpi.value * 1000);
  return isRate(kpi) ? rate(kpi.value) : count(kpi.value);
}

/** What is usual at its hour, in the figure's own unit: `2,050 – 2,300`; null while too little is known. */
export function kpiUsual(kpi: Kpi): string | null {
  const { usual, usualFailedShare: failed } = kpi;
  if (!usual) return null;
  if (isWait(kpi)) return `${span(rate(usual.low), rate(usual.high))} s`;
  const write = isRate(kpi) ? rate : count;
  const band = span(write(usual.low), write(usual.high));
  if (!failed) return band;
  return `${band}, ${span(Math.round(failed.low * 100).toString(), Math.round(failed.high * 100).toString())} % fail`;
}

/** Where the band comes from: `The same hour of the week in the last 4 weeks.` */
export function usualFrom(kpi: Kpi): string | null {
  const { usual } = kpi;
  if (!usual) return null;
  const one = usual.season === 'hourOfWeek' ? 'week' : 'day';
  return `Usual at this hour, learnt from ${usual.learntFrom} ${one}s.`;
}

/** Whether failures are more than usual, or more than a few while that is not known. */
export function failsMore(kpi: Kpi): boolean {
  if (kpi.failedShare === null) return false;
  return kpi.usualFailedShare ? kpi.failedShare > kpi.usualFailedShare.high : kpi.failedShare >= 0.05;
}

/** "without 2 fleets": what the figure leaves out because it is unknown; null if nothing. */
export const leftOut = ({ value, unknownFleets }: Kpi): string | null =>
  value === null || unknownFleets === 0 ? null : `without ${counted(unknownFleets, 'fleet')}`;

/** What is said where there is no value. Without a match there is no wait, at any time. */
export function noValue(kpi: Kpi, past: boolean): string {
  if (past && !isWait(kpi)) return 'unknown';
  return isRate(kpi) ? 'no event queue' : 'no data';
}
