/**
 * Owns refreshing: when the core reports a change, calls `pull` for everything that shows it. Also pulls when
 * the window comes to the front and every five seconds, so that a lost hint costs one tick, never
 * correctness.
 */
import type { Changed, Subject } from './types';
import { wire } from './wire';

type Watcher = { subjects: ReadonlySet<Subject>; pull: () => void };

const watchers = new Set<Watcher>();
const netMs = 5_000;

/**
 * Calls `pull` when one of the subjects changes, on focus and every five seconds. The set may grow meanwhile.
 * Returns a function that stops watching.
 */
export function watch(subjects: ReadonlySet<Subject>, pull: () => void): () => void {
  const watcher = { subjects, pull };
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Pulls everything that is shown, as after a change of connection. */
export function pullAll(): void {
  for (const watcher of [...watchers]) watcher.pull();
}

/** Starts listening. Returns a function that stops listening. */
export async function startPulse(): Promise<() => void> {
  const unsubscribe = await wire().onChanged(hear);
  const onFront = () => {
    if (document.visibilityState === 'visible') pullAll();
  };
  const net = setInterval(onFront, netMs);
  window.addEventListener('focus', onFront);
  document.addEventListener('visibilitychange', onFront);
  return () => {
    unsubscribe();
    clearInterval(net);
    window.removeEventListener('focus', onFront);
    document.removeEventListener('visibilitychange', onFront);
  };
}

function hear(changed: Changed): void {
  for (const watcher of [...watchers]) {
    if (changed.subjects.some((subject) => watcher.subjects.has(subject))) watcher.pull();
  }
}
