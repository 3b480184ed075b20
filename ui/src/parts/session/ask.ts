/** Owns a live search as the address holds it, and what can be searched. */
import type { AliasRow, FleetRow, SearchQuery } from '$live/types';

/** The search in the screen's address; blank where unset. */
export interface Ask {
  /** A fleet or an alias, by id. */
  target: string;
  location: string;
  filter: string;
  order: string;
}

export interface Targets {
  fleets: readonly FleetRow[];
  aliases: readonly AliasRow[];
}

export const askOf = (query: Readonly<Record<string, string>>): Ask => ({
  target: (query.ask ?? '').trim(),
  location: query.at ?? '',
  filter: query.filter ?? '',
  order: query.order ?? '',
});

/** The fleet searched: the target itself, or the alias's fleet. */
export function fleetOf({ target }: Ask, { fleets, aliases }: Targets): FleetRow | null {
  const alias = aliases.find((row) => row.aliasId === target);
  const id = alias ? alias.fleetId : target;
  return fleets.find((row) => row.fleetId === id) ?? null;
}

/** The query to send; null until an existing target is chosen. */
export function searchOf(ask: Ask, targets: Targets): SearchQuery | null {
  const alias = targets.aliases.find((row) => row.aliasId === ask.target);
  const region = alias?.region ?? fleetOf(ask, targets)?.region;
  if (region === undefined) return null;
  return {
    region,
    fleetId: alias ? null : ask.target,
    aliasId: alias?.aliasId ?? null,
    location: ask.location || null,
    filter: ask.filter,
    sort: ask.order,
  };
}

/** Quick filters, in the service's grammar. */
export const readyFilters: readonly (readonly [string, string])[] = [
  ['Any', ''],
  ['With room', 'hasAvailablePlayerSessions=true'],
  ['Full', 'hasAvailablePlayerSessions=false'],
  ['Empty', 'playerSessionCount=0'],
];
