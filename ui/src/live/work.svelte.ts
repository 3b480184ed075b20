/** Owns what a form does at the press of a button: one step at a time, and why the last one failed. */
import { asAppError } from './error';
import type { AppError } from './types';

export interface Work {
  /** True while a step is under way. */
  readonly busy: boolean;
  /** Why the last step failed. */
  readonly error: AppError | null;
  /** Does a step; nothing while another is under way. */
  run(step: () => Promise<unknown>): Promise<void>;
  /** Forgets the error, as when what it was about has changed. */
  forget(): void;
}

export function createWork(): Work {
  let busy = $state.raw(false);
  let error = $state.raw<AppError | null>(null);
  return {
    get busy() {
      return busy;
    },
    get error() {
      return error;
    },
    async run(step) {
      if (busy) return;
      busy = true;
      error = null;
      try {
        await step();
      } catch (thrown) {
        error = asAppError(thrown);
      } finally {
        busy = false;
      }
    },
    forget() {
      error = null;
    },
  };
}
