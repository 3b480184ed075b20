/** Owns what stacked charts share: one cursor. Its instant is epoch milliseconds, null when the pointer is away. */
let made = 0;

export class ChartGroup {
  readonly key = `charts-${made++}`;
  cursorMs = $state.raw<number | null>(null);
}
