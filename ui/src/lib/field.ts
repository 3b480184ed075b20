/** Owns instants as `datetime-local` fields hold them. */
import type { Zone } from './time';

const minute = 60_000;

/** `2026-11-21T14:05:09` in the zone. */
export function toField(ms: number, zone: Zone): string {
  const shift = zone === 'utc' ? 0 : -new Date(ms).getTimezoneOffset() * minute;
  return new Date(ms + shift).toISOString().slice(0, 19);
}

/** Epoch milliseconds of what stands in the field; null when it is no instant. */
export function fromField(text: string, zone: Zone): number | null {
  const ms = Date.parse(zone === 'utc' ? `${text}Z` : text);
  return Number.isFinite(ms) ? ms : null;
}
