/** Owns instants as typed into a field: `2026-11-21 14:05:09`, seconds optional. */
import { full, type Zone } from './time';

/** `2026-11-21 14:05:09` in the zone. */
export const toField = (ms: number, zone: Zone): string => full(ms, zone).slice(0, 19);

/** Epoch milliseconds of a field's text; null when it is not an instant. */
export function fromField(text: string, zone: Zone): number | null {
  const parts = /^\s*(\d{4}-\d{2}-\d{2})[T ]+(\d{2}:\d{2}(?::\d{2})?)\s*$/.exec(text);
  if (!parts) return null;
  const ms = Date.parse(`${parts[1]}T${parts[2]}${zone === 'utc' ? 'Z' : ''}`);
  return Number.isFinite(ms) ? ms : null;
}
