/**
 * Owns the only way to change anything: ask for a preview, get it confirmed, send exactly that, then follow
 * it. At most one change is open at a time: screens propose it, `parts/action/ActionDialog` shows it. The
 * guard itself is in the core.
 */
import { asAppError } from './error';
import { program } from './program.svelte';
import { pullAll } from './revision.svelte';
import { watchRun } from './runs.svelte';
import type { Action, ActivityRow, AppError, FactChange, Intent, Preview, Receipt } from './types';
import { wire } from './wire';

export type FlowOptions = {
  /** Offers to go back to the form the change came from. */
  onback?: () => void;
  /** Called once the change is sent and not refused. `row` is null for a run of several changes. */
  ondone?: (receipt: Receipt, row: ActivityRow | null) => void;
  /** The screen itself shows the progress, so the dialog closes as soon as the change is accepted. */
  followed?: boolean;
};

export type Flow = {
  readonly key: number;
  /** Null when an earlier run is shown again. */
  readonly intent: Intent | null;
  readonly options: FlowOptions;
  /** `asking`: waits for the preview; `asked`: waits for the person; `sending`; `sent`: shows the result. */
  readonly phase: 'asking' | 'asked' | 'sending' | 'sent';
  readonly preview: Preview | null;
  /** What changed between the preview the person confirmed and sending it. */
  readonly moved: readonly FactChange[] | null;
  readonly error: AppError | null;
  readonly receipt: Receipt | null;
};

let flow = $state.raw<Flow | null>(null);
let serial = 0;

function begin(next: Partial<Flow> & Pick<Flow, 'intent' | 'phase'>): Flow {
  flow = { key: ++serial, options: {}, preview: null, moved: null, error: null, receipt: null, ...next };
  return flow;
}

/** Updates the flow if it is still the one shown. */
function become(of: Flow, patch: Partial<Flow>): void {
  if (flow?.key === of.key) flow = { ...flow, ...patch };
}

async function ask(of: Flow): Promise<void> {
  if (of.intent === null) return;
  become(of, { phase: 'asking', error: null });
  try {
    const preview = await wire().actionPreview(of.intent);
    become(of, { phase: 'asked', preview });
  } catch (thrown) {
    become(of, { phase: 'asked', preview: null, error: asAppError(thrown) });
  }
}

/** Refreshes the screens after sending. Then calls `ondone` unless AWS refused the change. */
async function settle(of: Flow, receipt: Receipt): Promise<void> {
  pullAll();
  if (receipt.runId !== null) watchRun(receipt.runId);
  const [id] = receipt.activityIds;
  const row =
    receipt.runId === null && id
      ? await wire()
          .activityGet(id)
          .catch(() => null)
      : null;
  if (row?.outcome === 'failed') return;
  of.options.ondone?.(receipt, row);
  if (of.options.followed && row?.outcome !== 'unknown' && flow?.key === of.key) flow = null;
}

export const operate = {
  get flow(): Flow | null {
    return flow;
  },
  /** Shows what the intent would do. Nothing is sent before the person confirms. */
  begin(intent: Intent, options: FlowOptions = {}): void {
    void ask(begin({ intent, options, phase: 'asking' }));
  },
  propose(actions: readonly Action[], options: FlowOptions = {}): void {
    operate.begin({ kind: 'actions', of: [...actions] }, options);
  },
  undo(activityId: string, options: FlowOptions = {}): void {
    operate.begin({ kind: 'undo', of: activityId }, options);
  },
  /** Shows a run and its results. */
  showRun(id: string): void {
    begin({ intent: null, phase: 'sent', receipt: { runId: id, activityIds: [], leftOut: null } });
  },
  /** Shows the rest of a paused run, which must be confirmed again. */
  resume(runId: string): void {
    operate.begin({ kind: 'resume', of: runId });
  },
  /** Asks for a fresh preview of the same intent. */
  again(): void {
    if (flow) void ask(flow);
  },
  async confirm(typed: string | null): Promise<void> {
    const of = flow;
    if (!of?.preview || of.phase !== 'asked') return;
    become(of, { phase: 'sending', error: null, moved: null });
    try {
      const answer = await wire().actionConfirm(of.preview.id, typed);
      if (answer.kind === 'moved') {
        become(of, { phase: 'asked', preview: answer.preview, moved: answer.what });
        return;
      }
      become(of, { phase: 'sent', receipt: answer.receipt });
      await settle(of, answer.receipt);
    } catch (thrown) {
      const error = asAppError(thrown);
      become(of, { phase: 'asked', error });
      // Operator mode may have ended meanwhile; the dialog then offers to unlock it.
      if (error.kind === 'readOnly') void program.load();
    }
  },
  back(): void {
    const { onback } = flow?.options ?? {};
    flow = null;
    onback?.();
  },
  close(): void {
    flow = null;
  },
};
