/**
 * Owns the one way anything is changed: ask for a preview, have it confirmed, send exactly that, then follow. At most
 * one change is being looked at; screens propose, `parts/action/ActionDialog` shows. The guard itself is the core's.
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
  /** Called once it is sent and not refused; `row` is absent for a run of many. */
  ondone?: (receipt: Receipt, row: ActivityRow | null) => void;
  /** The screen shows what follows itself, so the dialog closes as soon as the change is accepted. */
  followed?: boolean;
};

export type Flow = {
  readonly key: number;
  /** Null when a run of before is shown again. */
  readonly intent: Intent | null;
  readonly options: FlowOptions;
  /** `asking` for the preview; `asked`: waits for the person; `sending`; `sent`: what became of it. */
  readonly phase: 'asking' | 'asked' | 'sending' | 'sent';
  readonly preview: Preview | null;
  /** What moved between the preview the person confirmed and the moment of sending. */
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

/** Takes part in the flow only while it is still the one that is shown. */
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

/** Sent: the screens ask again, and whoever proposed it hears unless AWS refused. */
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
  /** Shows what is left of a paused run, to be confirmed anew. */
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
      // The leave to change things may have ended meanwhile; the dialog then offers to unlock.
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
