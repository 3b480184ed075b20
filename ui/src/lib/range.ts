/**
 * Owns the time range of a screen: the last so-many minutes (which moves with the clock, "live") or two fixed
 * instants, and how both are written in an address. Instants are epoch milliseconds.
 */
import { clock, day, type Zone } from './time';

export type RangeChoice = { kind: 'last'; minutes: number } | { kind: 'fixed'; fromMs: number; toMs: number };

export const defaultRange: RangeChoice = { kind: 'last', minutes: 180 };

/** The choices the top bar offers, in minutes, with the name used in addresses. */
export const lastChoices: readonly { name: string; label: string; minutes: number }[] = [
  { name: '15m', label: '15 minutes', minutes: 15 },
  { name: '1h', label: '1 hour', minutes: 60 },
  { name: '3h', label: '3 hours', minutes: 180 },
  { name: '6h', label: '6 hours', minutes: 360 },
  { name: '12h', label: '12 hours', minutes: 720 },
  { name: '24h', label: '24 hours', minutes: 1440 },
  { name: '3d', label: '3 days', minutes: 4320 },
  { name: '7d', label: '7 days', minutes: 10_080 },
  { name: '14d', label: '14 days', minutes: 20_160 },
  { name: '30d', label: '30 days', minutes: 43_200 },
];

/** Reads `last=3h` or `from=…&to=…`; anything else is the default. */
export function rangeFromQuery(query: Readonly<Record<string, string>>): RangeChoice {
  const fromMs = Date.parse(query.from ?? '');
  const toMs = Date.parse(query.to ?? '');
  if (Number.isFinite(fromMs) && Number.isFinite(toMs) && fromMs < toMs)
    return { kind: 'fixed', fromMs, toMs };
  const last = lastChoices.find((choice) => choice.name === query.last);
  return last ? { kind: 'last', minutes: last.minutes } : defaultRange;
}

/** The query entries for a choice; undefined entries are to be removed from the address. */
export function rangeToQuery(choice: RangeChoice): Record<'last' | 'from' | 'to', string | undefined> {
  if (choice.kind === 'fixed') {
    return {
      last: undefined,
      from: new Date(choice.fromMs).toISOString(),
      to: new Date(choice.toMs).toISOString(),
    };
  }
  const named = lastChoices.find((last) => last.minutes === choice.minutes);
  const isDefault = defaultRange.kind === 'last' && choice.minutes === defaultRange.minutes;
  return { last: isDefault ? undefined : named?.name, from: undefined, to: undefined };
}

/** The two instants a choice means now. */
export function resolveRange(choice: RangeChoice, nowMs: number): { fromMs: number; toMs: number } {
  if (choice.kind === 'fixed') return { fromMs: choice.fromMs, toMs: choice.toMs };
  return { fromMs: nowMs - choice.minutes * 60_000, toMs: nowMs };
}

/** `Last 3 h · live`, or `21 Nov 11:55 – 14:55`. */
export function rangeLabel(choice: RangeChoice, nowMs: number, zone: Zone): string {
  if (choice.kind === 'last') return `Last ${shortLast(choice.minutes)} · live`;
  const sameDay = day(choice.fromMs, zone) === day(choice.toMs, zone);
  const today = sameDay && day(nowMs, zone) === day(choice.fromMs, zone);
  const from = `${today ? '' : `${day(choice.fromMs, zone)} `}${clock(choice.fromMs, zone)}`;
  return `${from} – ${sameDay ? '' : `${day(choice.toMs, zone)} `}${clock(choice.toMs, zone)}`;
}

/** `15 min`, `3 h`, `7 d`. */
export function shortLast(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  return minutes < 4320 ? `${minutes / 60} h` : `${minutes / 1440} d`;
}
