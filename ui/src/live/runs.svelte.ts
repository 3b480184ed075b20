/**
 * Owns the runs (bulk changes, drains) that the window shows: the open ones, and those it started or has seen
 * open.
 */
import { asAppError } from './error';
import { createQuery, type Query } from './query.svelte';
import type { ActivityRow, AppError, Run } from './types';
import { wire } from './wire';

export const isOpen = (run: Run): boolean => run.state === 'running' || run.state === 'paused';

let dismissed = $state.raw<ReadonlySet<string>>(new Set());
let begun = $state.raw<ReadonlySet<string>>(new Set());
const watched = new Set<string>();

/** Keeps showing a run confirmed here, even if it finishes before it was seen open. */
export function watchRun(id: string): void {
  begun = new Set([...begun, id]);
}

/** Stops showing a finished run. */
export function dismissRun(id: string): void {
  dismissed = new Set([...dismissed, id]);
}

/** Must be called while a component is being initialised. */
export function createRuns(): { readonly rows: readonly Run[] } {
  const query: Query<Run[]> = createQuery({ ask: (calls) => calls.runList(false) });
  const rows = $derived.by(() => {
    for (const run of query.data ?? []) if (isOpen(run)) watched.add(run.id);
    const kept = (run: Run): boolean => watched.has(run.id) || begun.has(run.id);
    return (query.data ?? []).filter((run) => kept(run) && !dismissed.has(run.id));
  });
  return {
    get rows() {
      return rows;
    },
  };
}

/** Resuming is not among them: it is a change like any other, made with `operate.resume`. */
export type RunCommand = 'pause' | 'stop';

/** Resolves with the error, or null on success. */
export async function controlRun(id: string, command: RunCommand): Promise<AppError | null> {
  const host = wire();
  const send = { pause: host.runPause, stop: host.runStop }[command];
  try {
    await send(id);
    return null;
  } catch (thrown) {
    return asAppError(thrown);
  }
}

/** As many as can be selected at once. */
const mostFailures = 1_000;

/**
 * The failed and unknown attempts of a run, by resource id; empty without a run. Must be called while a
 * component is being initialised.
 */
export function createFailures(runId: () => string | null): {
  readonly byResource: ReadonlyMap<string, ActivityRow>;
} {
  const query = createQuery<ActivityRow[]>({
    identity: () => runId() ?? '',
    ask: async (calls) => {
      const id = runId();
      if (id === null) return [];
      const page = { offset: 0, limit: mostFailures };
      const found = await calls.activityList({
        text: '', outcomes: ['failed', 'unknown'], operations: [], resourceKind: null, resourceId: null, fleetId: null,
        runId: id, range: null, page,
      });
      return found.rows;
    },
  }); // prettier-ignore
  const byResource = $derived(new Map((query.data ?? []).map((row) => [row.resourceId, row] as const)));
  return {
    get byResource() {
      return byResource;
    },
  };
}
