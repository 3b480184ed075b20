/** Owns how large everything is drawn: one of a few steps, kept on this machine and put in force by the host. */
import { wire } from './wire';

/** Percent. */
export const zoomSteps = [90, 100, 125, 150, 200] as const;
export type ZoomStep = (typeof zoomSteps)[number];

const storageKey = 'liftdeck.zoom';
let percent = $state.raw<ZoomStep>(100);

/** Rejects with what the web view says; then everything stays as large as it was. */
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
  /** The next larger (1) or smaller (-1) step; the last one stays. */
  step: (by: 1 | -1): Promise<void> => set(zoomSteps[zoomSteps.indexOf(percent) + by] ?? percent),
};

/** As large as the last time. */
export async function startZoom(): Promise<void> {
  const kept = zoomSteps.find((step) => String(step) === localStorage.getItem(storageKey));
  if (kept !== undefined && kept !== percent) await set(kept);
}
