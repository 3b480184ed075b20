/**
 * Owns the window's ticking clock. It follows the clock of the data, which in a simulation may be far from the
 * machine's; otherwise ages would be wrong.
 */
let offsetMs = 0;
let tick = $state.raw(Date.now());

/** A smaller difference is transport delay, not another clock. */
const toleranceMs = 2_000;

export const clock = {
  /** Epoch milliseconds, updated once a second; reactive. */
  get nowMs(): number {
    return tick;
  },
  /** Epoch milliseconds right now; not reactive. */
  read: (): number => Date.now() + offsetMs,
  /** Sets the clock to the data's time. */
  follow(dataNowMs: number): void {
    if (Math.abs(dataNowMs - clock.read()) <= toleranceMs) return;
    offsetMs = dataNowMs - Date.now();
    tick = clock.read();
  },
  /** Starts ticking. Returns a function that stops it. */
  start(): () => void {
    const timer = setInterval(() => (tick = clock.read()), 1_000);
    return () => clearInterval(timer);
  },
};
