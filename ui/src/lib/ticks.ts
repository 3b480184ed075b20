/** Owns where a time axis puts its ticks and how they are labelled. Instants are epoch milliseconds. */
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

/** Every UTC offset is a whole number of quarter hours. */
const quarter = 15 * minute;

/** The local time in the zone, as if it were UTC. */
const shown = (ms: number, zone: Zone): number =>
  zone === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * minute;

const commonStep = (a: number, b: number): number => (b === 0 ? a : commonStep(b, a % b));

/** The first moment of a day, counted from 1 January 1970; not midnight where the clock skips midnight. */
function dayStart(index: number, zone: Zone): number {
  const date = new Date(index * dayMs);
  if (zone === 'utc') return date.getTime();
  return new Date(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()).getTime();
}

/**
 * About `most` ticks where the zone's clock shows a round time. The start of a day is labelled with its date.
 * When the clock is set back, a round time that it shows twice has two ticks; when it is set forward, skipped
 * times have none.
 */
export function timeTicks(fromMs: number, toMs: number, most: number, zone: Zone): Tick[] {
  const span = toMs - fromMs;
  if (!(span > 0) || most < 1) return [];
  const step = steps.find((candidate) => span / candidate <= most) ?? Math.ceil(span / most / dayMs) * dayMs;
  const dayOf = (ms: number) => Math.floor(shown(ms, zone) / dayMs);
  const ticks: Tick[] = [];
  if (step >= dayMs) {
    const days = step / dayMs;
    for (let index = Math.ceil(dayOf(fromMs) / days) * days; ; index += days) {
      const atMs = dayStart(index, zone);
      if (atMs > toMs) return ticks;
      if (atMs >= fromMs) ticks.push({ atMs, label: day(atMs, zone) });
    }
  }
  const stride = commonStep(step, quarter);
  for (let atMs = Math.ceil(fromMs / stride) * stride; atMs <= toMs; atMs += stride) {
    if (dayOf(atMs) > dayOf(atMs - stride)) ticks.push({ atMs, label: day(atMs, zone) });
    else if (shown(atMs, zone) % step === 0)
      ticks.push({ atMs, label: step < minute ? clockSeconds(atMs, zone) : clock(atMs, zone) });
  }
  return ticks;
}
