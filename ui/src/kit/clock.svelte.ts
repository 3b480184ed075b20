/**
 * Owns the one ticking clock of the window. It follows the clock of the data, which in a simulation may be far from
 * the machine's; ages would be nonsense otherwise.
 */
let offsetMs = 0;
let tick = $state.raw(Date.now());

/** A disagreement below this is delay on the way, not another clock. */
const toleranceMs = 2_000;

export const clock = {
  /** Epoch milliseconds, moving once a second; reading it in a component keeps the component up to date. */
  get nowMs(): number {
    return tick;
  },
  /** Epoch milliseconds at this very moment; not reactive. */
  read: (): number => Date.now() + offsetMs,
  /** Sets the clock by the data's. */
  follow(dataNowMs: number): void {
    if (Math.abs(dataNowMs - clock.read()) <= toleranceMs) return;
    offsetMs = dataNowMs - Date.now();
    tick = clock.read();
  },
  /** Starts ticking. Returns how to stop. */
  start(): () => void {
    const timer = setInterval(() => (tick = clock.read()), 1_000);
    return () => clearInterval(timer);
  },
};
