/** Owns instants as a person writes them: `2026-11-21 14:05:09`, the seconds optional. */
import type { Zone } from './time';

const minute = 60_000;

/** `2026-11-21 14:05:09` in the zone. */
export function toField(ms: number, zone: Zone): string {
  const shift = zone === 'utc' ? 0 : -new Date(ms).getTimezoneOffset() * minute;
  return new Date(ms + shift).toISOString().slice(0, 19).replace('T', ' ');
}

/** Epoch milliseconds of what stands in the field; null when it is no instant. */
export function fromField(text: string, zone: Zone): number | null {
  const parts = /^\s*(\d{4}-\d{2}-\d{2})[T ]+(\d{2}:\d{2}(?::\d{2})?)\s*$/.exec(text);
  if (!parts) return null;
  const ms = Date.parse(`${parts[1]}T${parts[2]}${zone === 'utc' ? 'Z' : ''}`);
  return Number.isFinite(ms) ? ms : null;
}
