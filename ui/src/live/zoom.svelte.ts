/** Owns the zoom: one of a few steps, stored on this machine and applied by the host. */
import { wire } from './wire';

/** Percent. */
export const zoomSteps = [90, 100, 125, 150, 200] as const;
export type ZoomStep = (typeof zoomSteps)[number];

const storageKey = 'liftdeck.zoom';
let percent = $state.raw<ZoomStep>(100);

/** Rejects with the web view's error and then leaves the zoom as it was. */
async function set(next: ZoomStep): Promise<void> {
  await wire().zoomSet(next / 100);
  percent = next;
  localStorage.setItem(storageKey, String(next));
}

export const zoom = {
  get percent(): ZoomStep {
    return percent;
  },
  set,
  /** Goes to the next larger (1) or smaller (-1) step; stays at the last one. */
  step: (by: 1 | -1): Promise<void> => set(zoomSteps[zoomSteps.indexOf(percent) + by] ?? percent),
};

/** Restores the zoom of the last run. */
export async function startZoom(): Promise<void> {
  const kept = zoomSteps.find((step) => String(step) === localStorage.getItem(storageKey));
  if (kept !== undefined && kept !== percent) await set(kept);
}
