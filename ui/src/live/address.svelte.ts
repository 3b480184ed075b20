/**
 * Owns the window's address: the parsed location hash. Back and Forward are left to the browser. `app/routes`
 * maps an address to its screen.
 */
import { untrack } from 'svelte';
import {
  carried,
  formatAddress,
  parseAddress,
  patchQuery,
  type Address,
  type QueryPatch,
} from '$lib/address';
import { defaultRange, rangeFromQuery, rangeToQuery, resolveRange, type RangeChoice } from '$lib/range';
import { program } from './program.svelte';
import type { TimeRange } from './types';
import { nowMs } from './wire';

/** The filters each list was last left with, restored when the person goes back to it. */
const lists = new Map<string, Address['query']>();
let current = $state.raw<Address>({ path: [], query: {} });
const choice = $derived(rangeFromQuery(current.query));

export const address = {
  get path(): readonly string[] {
    return current.path;
  },
  get query(): Readonly<Record<string, string>> {
    return current.query;
  },
  /** The time range that drives every chart on the screen. */
  get range(): RangeChoice {
    return choice;
  },
};

/** Where the address is kept. A page of one connection is of nothing known on another; a demo is new at each start. */
function storageKey(): string | null {
  const open = untrack(() => program.state?.current);
  return open && open.environment !== 'demo' ? `liftdeck.address.${open.id}` : null;
}

/** Shows what the hash names, and keeps it. */
function take(hash: string): void {
  // Not read back from `current`: an effect that starts the address would depend on what it sets.
  const here = parseAddress(hash);
  current = here;
  const [screen] = here.path;
  if (screen && here.path.length === 1) lists.set(screen, here.query);
  const key = storageKey();
  if (key !== null) localStorage.setItem(key, hash);
}

/**
 * Starts at the window's address, or where the last run on this connection ended, once the program's state is known.
 * Returns a function that stops listening.
 */
export function startAddress(): () => void {
  if (!location.hash || location.hash === '#' || location.hash === '#/') {
    const key = storageKey();
    const last = key === null ? null : localStorage.getItem(key);
    history.replaceState(null, '', last?.startsWith('#/') ? last : '#/overview');
  }
  const read = () => take(location.hash);
  read();
  window.addEventListener('hashchange', read);
  return () => window.removeEventListener('hashchange', read);
}

/** The link to a screen, keeping the time range. */
export function href(path: readonly string[], query: Readonly<Record<string, string>> = {}): string {
  return formatAddress({ path, query: { ...carried(current.query), ...query } });
}

/** The link to the list of a screen as it was last left. */
export function listHref(screen: string): string {
  const { last: _last, from: _from, to: _to, ...filters } = lists.get(screen) ?? {};
  return href([screen], filters);
}

/** Goes to a link from `href` or the host, keeping the time range unless the link names one. */
export function go(link: string): void {
  const target = parseAddress(link);
  const names = 'last' in target.query || 'from' in target.query;
  location.hash = formatAddress({
    path: target.path,
    query: names ? target.query : { ...carried(current.query), ...target.query },
  });
}

/** Changes this screen's filters or sort. With `replace`, adds no history entry (for typing in a filter). */
export function setQuery(patch: QueryPatch, replace = false): void {
  // Reads the window's own address, because the event of the last step may not have arrived yet.
  const here = parseAddress(location.hash);
  const next = formatAddress(patchQuery(here, patch));
  if (next === formatAddress(here)) return;
  if (!replace) {
    location.hash = next;
    return;
  }
  history.replaceState(null, '', next);
  take(next);
}

/** Sets the time range of every chart on the screen. */
export function setRange(next: RangeChoice): void {
  setQuery(rangeToQuery(next));
}

/** The last hours, for choosing among what is now, whatever range is chosen. */
export function recentRange(): TimeRange {
  return resolveRange(defaultRange, nowMs());
}

/** The start and end of the chosen range as of now, in epoch milliseconds. */
export function currentRange(): TimeRange {
  return resolveRange(choice, nowMs());
}
