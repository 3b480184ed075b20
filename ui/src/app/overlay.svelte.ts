/** Owns which dialog of the frame is open. One at a time: dialogs never stack. */
import { flushSync } from 'svelte';

export type OverlayName = 'palette' | 'shortcuts' | 'connect' | 'unlock';

let shown = $state.raw<OverlayName | null>(null);

export const overlay = {
  get shown(): OverlayName | null {
    return shown;
  },
  /**
   * Opens a dialog and focuses it before returning, so that the next key goes into its field, not the page.
   */
  show(name: OverlayName): void {
    shown = name;
    flushSync();
  },
  close(): void {
    shown = null;
  },
};
