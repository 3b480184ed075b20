/** Owns how the status of a game session or player session looks: shape, colour and word. */
import type { DotState } from '$kit/states';

const states: Readonly<Record<string, DotState>> = {
  ACTIVE: 'good',
  ACTIVATING: 'pending',
  RESERVED: 'pending',
  TERMINATING: 'warning',
  ERROR: 'bad',
  TIMEDOUT: 'warning',
};

/** The dot of a status; an unknown status looks off rather than good. */
export const statusState = (status: string): DotState => states[status] ?? 'off';

/** `TRIGGERED_ON_PROCESS_TERMINATE` as words. */
export const words = (code: string): string =>
  code === 'TIMEDOUT' ? 'timed out' : code.toLowerCase().replaceAll('_', ' ');

/** How a session ended, or its status while it runs. */
export function ending(row: { status: string; statusReason: string | null }): string {
  return row.statusReason ? `${words(row.status)}, ${words(row.statusReason)}` : words(row.status);
}
