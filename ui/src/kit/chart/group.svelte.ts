/** Owns what stacked charts share: one cursor. Its instant is epoch milliseconds, null when the pointer is away. */
export class ChartGroup {
  readonly key = crypto.randomUUID();
  cursorMs = $state.raw<number | null>(null);
}
