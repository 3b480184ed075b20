/** Owns where a time axis puts its ticks and what they say. Instants are epoch milliseconds. */
import { clock, clockSeconds, day, type Zone } from './time';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const dayMs = 24 * hour;
const steps = [
  5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
  hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, dayMs, 2 * dayMs, 5 * dayMs, 10 * dayMs,
]; // prettier-ignore

export type Tick = { readonly atMs: number; readonly label: string };

/** At most `most` ticks on round times of the zone; days are named where the range leaves one day. */
export function timeTicks(fromMs: number, toMs: number, most: number, zone: Zone): Tick[] {
  const span = toMs - fromMs;
  if (!(span > 0) || most < 1) return [];
  const step = steps.find((candidate) => span / candidate <= most) ?? Math.ceil(span / most / dayMs) * dayMs;
  const shift = zone === 'utc' ? 0 : -new Date(fromMs).getTimezoneOffset() * minute;
  const ticks: Tick[] = [];
  for (let at = Math.ceil((fromMs + shift) / step) * step - shift; at <= toMs; at += step) {
    ticks.push({ atMs: at, label: label(at, step, zone) });
  }
  return ticks;
}

function label(atMs: number, step: number, zone: Zone): string {
  const text = clock(atMs, zone);
  if (step >= dayMs || text === '00:00') return day(atMs, zone);
  return step < minute ? clockSeconds(atMs, zone) : text;
}
