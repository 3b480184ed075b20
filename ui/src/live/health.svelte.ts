/** Owns how the collector is doing: its last report, and whether reports have stopped coming. */
import { asAppError } from './error';
import { watch } from './revision.svelte';
import type { AppError, Health } from './types';
import { wire } from './wire';

let last = $state.raw<Health | null>(null);
let error = $state.raw<AppError | null>(null);

export const health = {
  get last(): Health | null {
    return last;
  },
  get error(): AppError | null {
    return error;
  },
};

/** Starts listening; `onReport` gets each report (the frame sets its clock by it). Returns how to stop. */
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
  const unwatch = watch(['health'], () => void pull());
  await pull();
  return () => {
    unsubscribe();
    unwatch();
  };
}
