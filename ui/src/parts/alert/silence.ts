/** Owns how long a silence lasts, and how one is said. */
import { moment, type Zone } from '$lib/time';
import type { Alert, Matchers, Silence } from '$live/types';

export type Lasting = '30m' | '2h' | 'morning' | 'custom';

/** The choices, in the order they are offered. */
export const lastings: readonly (readonly [Lasting, string])[] = [
  ['30m', '30 minutes'],
  ['2h', '2 hours'],
  ['morning', 'Until tomorrow 9:00'],
  ['custom', 'Until…'],
];

const minute = 60_000;

/** The end of a silence that begins now; the morning is the next day's in the zone that times are shown in. */
export function untilOf(lasting: Lasting, nowMs: number, zone: Zone): number {
  if (lasting === '30m') return nowMs + 30 * minute;
  if (lasting !== 'morning') return nowMs + 120 * minute;
  const at = new Date(nowMs);
  if (zone === 'utc') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1, 9);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1, 9).getTime();
}

/** What a field for a moment holds: "2026-03-04T09:00". */
export function fieldOf(atMs: number, zone: Zone): string {
  const shift = zone === 'utc' ? 0 : new Date(atMs).getTimezoneOffset() * minute;
  return new Date(atMs - shift).toISOString().slice(0, 16);
}

/** The moment in such a field; null if there is none. */
export function momentOf(field: string, zone: Zone): number | null {
  const ms = Date.parse(zone === 'utc' ? `${field}Z` : field);
  return Number.isNaN(ms) ? null : ms;
}

/** Covers the alert, and a later one of the same rule about the same. */
export function matchersOf({ rule, subject }: Pick<Alert, 'rule' | 'subject'>): Matchers {
  return { rules: [rule], region: null, fleetId: null, subject };
}

/** "silenced by mia until 12:14: load test". */
export function silencedText(silence: Silence, nowMs: number, zone: Zone): string {
  const by = silence.author ? ` by ${silence.author}` : '';
  const until = silence.until === null ? '' : ` until ${moment(silence.until, nowMs, zone)}`;
  return `silenced${by}${until}: ${silence.reason}`;
}

/** What a silence covers. */
export function coverText({ rules, region, fleetId, subject }: Matchers): string {
  const parts = [rules.join(', '), region, fleetId, subject].filter((part) => part !== null && part !== '');
  return parts.length === 0 ? 'every alert' : parts.join(' · ');
}
