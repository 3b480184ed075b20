/** Owns the window's host and the clock of its data. Set once by `main.ts`, before the first screen. */
import type { Host } from '$host/host';

let current: { host: Host; now: () => number } | null = null;

/** `now` is the program's clock in epoch milliseconds; the simulator's may differ from the machine's. */
export function connect(host: Host, now: () => number): void {
  current = { host, now };
}

/** The host. Throws before `connect`, which is a programming error. */
export function wire(): Host {
  if (!current) throw new Error('connect() has not been called');
  return current.host;
}

/** The time on the data's clock, in epoch milliseconds. */
export const nowMs = (): number => current?.now() ?? Date.now();
