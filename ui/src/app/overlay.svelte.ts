/** Owns which dialog of the frame is open. One at a time: dialogs never stack. */
export type OverlayName = 'palette' | 'shortcuts' | 'connect' | 'unlock';

let shown = $state.raw<OverlayName | null>(null);

export const overlay = {
  get shown(): OverlayName | null {
    return shown;
  },
  show(name: OverlayName): void {
    shown = name;
  },
  close(): void {
    shown = null;
  },
};
