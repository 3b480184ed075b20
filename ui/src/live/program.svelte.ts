/**
 * Owns the program's state as the host reports it: connections, settings, version. Every command replaces it
 * whole.
 */
import { asAppError } from './error';
import { pullAll } from './revision.svelte';
import type { AppError, AppState, ConnectionDraft, Mode, Settings } from './types';
import { wire } from './wire';

let state = $state.raw<AppState | null>(null);
let error = $state.raw<AppError | null>(null);

async function take(answer: Promise<AppState>): Promise<AppState> {
  const next = await answer;
  state = next;
  error = null;
  return next;
}

export const program = {
  get state(): AppState | null {
    return state;
  },
  /** Why the state could not be read at all. */
  get error(): AppError | null {
    return error;
  },
  /** The mode as last reported. The caller checks whether its time is up. */
  get mode(): Mode {
    return state?.mode ?? { kind: 'readOnly' };
  },
  /** Unlocks operator mode for this many minutes. A production connection requires its name to be typed. */
  unlock: (minutes: number, typed: string | null) => take(wire().guardUnlock(minutes, typed)),
  lock: () => take(wire().guardLock()),
  async load(): Promise<void> {
    try {
      await take(wire().appState());
    } catch (thrown) {
      error = asAppError(thrown);
    }
  },
  saveSettings: (settings: Settings) => take(wire().settingsSave(settings)),
  save: (id: string | null, draft: ConnectionDraft) => take(wire().connectionSave(id, draft)),
  remove: (id: string) => take(wire().connectionDelete(id)),
  importFile: (json: string) => take(wire().connectionImport(json)),
  async open(id: string): Promise<AppState> {
    const next = await take(wire().connectionOpen(id));
    pullAll();
    return next;
  },
  async openDemo(scenario: string | null): Promise<AppState> {
    const next = await take(wire().demoOpen(scenario));
    pullAll();
    return next;
  },
};
