/**
 * Owns a screen's time range: the last minutes up to now ("live") or two fixed instants, and how both are written in
 * an address. Instants are epoch milliseconds.
 */
import { clock, day, type Zone } from './time';

export type RangeChoice = { kind: 'last'; minutes: number } | { kind: 'fixed'; from: number; to: number };

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
  const from = Date.parse(query.from ?? '');
  const to = Date.parse(query.to ?? '');
  if (Number.isFinite(from) && Number.isFinite(to) && from < to) return { kind: 'fixed', from, to };
  const last = lastChoices.find((choice) => choice.name === query.last);
  return last ? { kind: 'last', minutes: last.minutes } : defaultRange;
}

/** The query entries for a choice; undefined entries are to be removed from the address. */
export function rangeToQuery(choice: RangeChoice): Record<'last' | 'from' | 'to', string | undefined> {
  if (choice.kind === 'fixed') {
    return {
      last: undefined,
      from: new Date(choice.from).toISOString(),
      to: new Date(choice.to).toISOString(),
    };
  }
  const named = lastChoices.find((last) => last.minutes === choice.minutes);
  const isDefault = defaultRange.kind === 'last' && choice.minutes === defaultRange.minutes;
  return { last: isDefault ? undefined : named?.name, from: undefined, to: undefined };
}

/** The two instants of a choice, as of now. */
export function resolveRange(choice: RangeChoice, nowMs: number): { from: number; to: number } {
  if (choice.kind === 'fixed') return { from: choice.from, to: choice.to };
  return { from: nowMs - choice.minutes * 60_000, to: nowMs };
}

/** `Last 3 h · live`, or `21 Nov 11:55 – 14:55`. */
export function rangeLabel(choice: RangeChoice, nowMs: number, zone: Zone): string {
  if (choice.kind === 'last') return `Last ${shortLast(choice.minutes)} · live`;
  const sameDay = day(choice.from, zone) === day(choice.to, zone);
  const today = sameDay && day(nowMs, zone) === day(choice.from, zone);
  const from = `${today ? '' : `${day(choice.from, zone)} `}${clock(choice.from, zone)}`;
  return `${from} – ${sameDay ? '' : `${day(choice.to, zone)} `}${clock(choice.to, zone)}`;
}

/** The range inside a sentence: `in the last 3 h`, or `in 21 Nov 11:55 – 14:55`. */
export const rangePhrase = (choice: RangeChoice, nowMs: number, zone: Zone): string =>
  choice.kind === 'last'
    ? `in the last ${shortLast(choice.minutes)}`
    : `in ${rangeLabel(choice, nowMs, zone)}`;

/** `15 min`, `3 h`, `7 d`. */
export function shortLast(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  return minutes < 4320 ? `${minutes / 60} h` : `${minutes / 1440} d`;
}
