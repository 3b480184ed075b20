/** Owns the cursor that stacked charts share: epoch milliseconds, or null when the pointer is elsewhere. */
let made = 0;

export class ChartGroup {
  readonly key = `charts-${made++}`;
  cursorMs = $state.raw<number | null>(null);
}
