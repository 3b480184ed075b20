/**
 * Owns how instants, ages and durations are written. Instants are epoch milliseconds; callers pass the zone, because
 * one setting applies to every time on the screen.
 */

export type Zone = 'utc' | 'local';

type Shape = 'clock' | 'seconds' | 'date' | 'full';

const shapes: Record<Shape, Intl.DateTimeFormatOptions> = {
  clock: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  seconds: { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  date: { day: '2-digit', month: 'short' },
  full: {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  },
};

const formats = new Map<string, Intl.DateTimeFormat>();

function format(shape: Shape, zone: Zone): Intl.DateTimeFormat {
  const key = `${shape}/${zone}`;
  let made = formats.get(key);
  if (!made) {
    const timeZone = zone === 'utc' ? 'UTC' : undefined;
    made = new Intl.DateTimeFormat(shape === 'full' ? 'sv-SE' : 'en-GB', { ...shapes[shape], timeZone });
    formats.set(key, made);
  }
  return made;
}

/** `14:05`. */
export const clock = (ms: number, zone: Zone): string => format('clock', zone).format(ms);

/** `14:05:09`. */
export const clockSeconds = (ms: number, zone: Zone): string => format('seconds', zone).format(ms);

/** `21 Nov`. */
export const day = (ms: number, zone: Zone): string => format('date', zone).format(ms);

/** `2026-11-21 14:05:09`, with the zone's name when it is UTC; for tooltips. */
export const full = (ms: number, zone: Zone): string =>
  `${format('full', zone).format(ms)}${zone === 'utc' ? ' UTC' : ''}`;

/** The time for today; day and time for any other day. */
export function moment(ms: number, nowMs: number, zone: Zone): string {
  return day(ms, zone) === day(nowMs, zone) ? clock(ms, zone) : `${day(ms, zone)} ${clock(ms, zone)}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const dayMs = 24 * hour;

/** A length of time in one unit, rounded down: `12 s`, `5 min`, `3 h`, `2 d`. */
export function elapsed(ms: number): string {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / second))} s`;
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < 2 * dayMs) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / dayMs)} d`;
}

/**
 * How long ago, in one unit: `now`, `12 s ago`, `5 min ago`. A time more than a minute ahead is shown as in
 * the future, never as fresh.
 */
export function age(atMs: number, nowMs: number): string {
  if (atMs - nowMs > minute) return `${elapsed(atMs - nowMs)} in the future`;
  return nowMs - atMs < second ? 'now' : `${elapsed(nowMs - atMs)} ago`;
}

/** A duration in its two largest units: `41 s`, `3 min 02 s`, `2 h 05 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`;
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.round(ms / second);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
  return `${Math.floor(whole / 86_400)} d ${Math.floor((whole % 86_400) / 3600)} h`;
}
