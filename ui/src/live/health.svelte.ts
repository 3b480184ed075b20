/**
 * Owns the collector's health: its last report, why it could not be read, and whether the health panel is
 * open.
 */
import { subjects } from '$host/bindings.gen';
import { asAppError } from './error';
import { watch } from './revision.svelte';
import type { AppError, Health } from './types';
import { wire } from './wire';

let last = $state.raw<Health | null>(null);
let error = $state.raw<AppError | null>(null);
let shown = $state(false);

export const health = {
  get last(): Health | null {
    return last;
  },
  get error(): AppError | null {
    return error;
  },
  /** Whether the health panel is open. Anything that mentions the collector may open it. */
  get shown(): boolean {
    return shown;
  },
  set shown(next: boolean) {
    shown = next;
  },
};

/**
 * Starts listening. `onReport` gets each report; the frame sets its clock by it. Returns a function that
 * stops listening.
 */
export async function startHealth(onReport: (report: Health) => void): Promise<() => void> {
  const take = (report: Health) => {
    last = report;
    error = null;
    onReport(report);
  };
  const pull = async () => {
    try {
      take(await wire().healthGet());
    } catch (thrown) {
      error = asAppError(thrown);
    }
  };
  const unsubscribe = await wire().onHealth(take);
  const unwatch = watch(new Set(subjects.health_get), () => void pull());
  await pull();
  return () => {
    unsubscribe();
    unwatch();
  };
}
