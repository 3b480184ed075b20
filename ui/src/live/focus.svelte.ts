/** Owns telling the collector what is on screen, so that it asks for that first. */
import type { Focus } from './types';
import { wire } from './wire';

/** Must be called while a component is being initialised; follows what `focus` reads. */
export function keepFocus(focus: () => Partial<Focus>): void {
  $effect(() => {
    const wanted: Focus = { fleets: [], gameSessions: [], metrics: false, ...focus() };
    // A lost hint only means a later refresh, so a refusal is not worth a word on the screen.
    wire()
      .focusSet(wanted)
      .catch(() => undefined);
  });
}
