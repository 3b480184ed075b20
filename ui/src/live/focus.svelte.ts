/** Owns telling the collector what is on screen, so that it collects that first. */
import type { Focus } from './types';
import { wire } from './wire';

/** Must be called while a component is being initialised. Sends again when what `focus` reads changes. */
export function keepFocus(focus: () => Partial<Focus>): void {
  $effect(() => {
    const wanted: Focus = { fleets: [], gameSessions: [], metrics: false, everyMetric: null, ...focus() };
    // A lost hint only delays a refresh, so a failure is not shown.
    wire()
      .focusSet(wanted)
      .catch(() => undefined);
  });
}
