/** Owns the words of the heat table where there is no share of processes in use. */
import type { HeatCell } from '$live/types';
import { absent, count } from '$lib/numbers';

/** A cell without a share: its game sessions, `off`, `idle`, or `–` while nothing of it is known. */
export function cellWord({ gameSessions, processes, activeInstances }: HeatCell): string {
  if (gameSessions !== null && gameSessions > 0) return count(gameSessions);
  if (activeInstances === 0) return 'off';
  return gameSessions === 0 || processes === 0 ? 'idle' : absent;
}
