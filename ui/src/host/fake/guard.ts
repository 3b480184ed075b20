/**
 * Owns the invented guard: unlock, preview, confirm, what became of it, runs. It behaves like the program's; staged
 * states (`unknown`, `moved`, `refused`) make it meet trouble.
 */
import type {
  Action, ActivityRow, AppError, AppState, Confirmed, DrainPlan, Intent, LeftOut, Mode, Preset, Preview, PreviewWarning, Run, Subject,
} from '$host/bindings.gen'; // prettier-ignore
import type { OperateHost } from '$host/host';
import { ActivityLog, rowOf } from './activity';
import { apply } from './apply';
import { problems } from './check';
import { chance, uuid } from './random';
import { drainTurn, firstDrain, Runs } from './runs';
import type { Stage } from './stage';
import { commandOf, effectText, tell, type Told } from './told';
import type { World } from './world';

type Around = {
  stage: Stage;
  world: World;
  state: () => AppState;
  become: (next: Partial<AppState>) => Promise<AppState>;
  moved: (...subjects: Subject[]) => void;
};

const minute = 60_000;
const refusal = (kind: AppError['kind'], message: string, remedy: string | null = null): AppError => ({
  kind, message, resource: null, awsCode: null, requestId: null, retryable: false, remedy, fields: [],
}); // prettier-ignore
const missing = (what: string, id: string) => refusal('notFound', `${what} ${id} is not recorded here.`);
const everything = [
  'activity',
  'gameSessions',
  'playerSessions',
  'fleets',
  'capacity',
  'aliases',
  'queues',
  'placements',
  'matchmaking',
  'builds',
] as const;

export function createGuard({ stage, world, state, become, moved }: Around): OperateHost {
  const log = new ActivityLog();
  const previews = new Map<string, { preview: Preview; intent: Intent; told: Told[] }>();
  const runs = new Runs(stage.now, () => moved('activity', 'gameSessions'));
  let presets: Preset[] = [
    { name: 'Support match', kind: 'newSession', body: JSON.stringify({ way: 'queue', name: 'support', slots: '4' }) },
  ]; // prettier-ignore
  let serial = 0;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  let movedOnce = false;

  const operating = () => state().mode.kind === 'operator';
  const setMode = (mode: Mode) => {
    const next = become({ mode });
    moved('settings');
    return next;
  };
  const lock = () => {
    clearTimeout(expiry);
    runs.pauseAll('Paused: the connection is read-only again. Unlock it, then resume.');
    return setMode({ kind: 'readOnly' });
  };

  function actionsOf(intent: Intent): Action[] {
    if (intent.kind === 'actions') return intent.actions.filter((action) => !isOver(action));
    if (intent.kind === 'resume') return [];
    if (intent.kind === 'drain') return intent.plan.routes;
    return undoOf.get(intent.activityId) ?? [];
  }
  const undoOf = new Map<string, Action[]>();
  /** What is about a game session that has ended is never sent. */
  function isOver({ request }: Action): boolean {
    if (!('gameSessionId' in request)) return false;
    const session = world.sessions.find((row) => row.gameSessionId === request.gameSessionId);
    return session !== undefined && session.endedMs !== null;
  }
  function leftOutOf(intent: Intent): LeftOut | null {
    const over = intent.kind === 'actions' ? intent.actions.filter(isOver) : [];
    if (over.length === 0) return null;
    return {
      total: over.length,
      sentence: `${over.length} already ended`,
      rows: over.slice(0, 200).map((action) => ({
        operation: action.request.operation,
        resourceId: 'gameSessionId' in action.request ? action.request.gameSessionId : '',
        resourceName: tell(action, world).name,
        reason: 'ended',
        text: 'The game session is TERMINATED.',
      })),
    };
  }

  function preview(intent: Intent): Preview {
    const actions = actionsOf(intent);
    const fields = actions.flatMap((action, item) =>
      problems(action.request).map((one) => ({ item, ...one })),
    );
    if (fields.length > 0) throw { ...refusal('invalidInput', fields[0]?.message ?? ''), fields };
    const told = actions.map((action) => tell(action, world));
    const hits = told.flatMap((one) => one.hits);
    const plan = intent.kind === 'drain' ? intent.plan : null;
    const drained = plan
      ? world.sessions.filter((row) => row.fleetId === plan.fleetId && row.endedMs === null)
      : hits;
    const gameSessions = drained.length;
    const playerSessions = drained.reduce((sum, row) => sum + row.players, 0);
    const region = plan?.region ?? actions[0]?.region ?? '';
    const inRegion = world.sessions.filter((row) => row.region === region && row.endedMs === null).length;
    const shareOfRegion = gameSessions > 0 && inRegion > 0 ? gameSessions / inRegion : null;
    const production = state().current?.environment === 'production';
    const deletes = actions.some((action) => action.request.operation === 'DeleteAlias');
    const many = gameSessions > 50 || playerSessions > 200;
    const [only] = told;
    const first = actions[0]?.request.operation ?? 'drain';
    const ends = first === 'TerminateGameSession' ? 'Ends' : plan ? 'Waits for' : 'Touches';
    const made: Preview = {
      id: uuid(501, ++serial),
      title: plan
        ? `Drain ${world.fleet(plan.fleetId, stage.freshness())?.row.name ?? 'the fleet'}`
        : intent.kind === 'resume'
          ? `Resume: ${runs.get(intent.runId)?.title ?? ''}`
        : intent.kind === 'undo'
          ? `Undo: ${log.get(intent.activityId)?.title ?? ''}`
          : actions.length > 1
            ? `${wordOf(first)} ${actions.length} ${only?.kind === 'gameSession' ? 'game sessions' : 'resources'}`
            : (only?.title ?? ''),
      leftOut: leftOutOf(intent),
      confirmable: actions.length > 0 || plan !== null || intent.kind === 'resume',
      items: actions.map((action, index) => ({
        action, resourceName: told[index]?.name ?? null, facts: told[index]?.facts ?? [],
      })), // prettier-ignore
      blast: {
        gameSessions, playerSessions, protectedGameSessions: Math.floor(gameSessions / 9), shareOfRegion, asOfMs: stage.now() - 2_000,
        sentence: gameSessions === 0
          ? 'No game session and no player is touched.'
          : `${ends} ${gameSessions === 1 ? '1 game session' : `${gameSessions} game sessions`} with ${playerSessions === 1 ? '1 player' : `${playerSessions} players`}, ${((shareOfRegion ?? 0) * 100).toFixed(gameSessions > 20 ? 0 : 1)} % of ${region}.`,
      },
      warnings: warnings(actions, plan),
      undo: plan
        ? { kind: 'partly', text: 'Routing, protection, scaling and sizes can be set back step by step; ended sessions stay ended.' }
        : { kind: told.length > 0 && told.every((one) => one.undo) ? (only?.undoText.startsWith('Everything but') ? 'partly' : 'exact') : 'none', text: only?.undoText ?? '' },
      mustType: deletes || (production && only?.typed && actions.length === 1)
        ? (only?.typed ?? state().current?.name ?? '')
        : production || many ? (state().current?.name ?? '') : null,
      commands: actions.map(commandOf),
      expiresMs: stage.now() + 5 * minute,
    }; // prettier-ignore
    previews.set(made.id, { preview: made, intent, told });
    return made;
  }

  function warnings(actions: Action[], plan: DrainPlan | null): PreviewWarning[] {
    const found: PreviewWarning[] = [];
    const protectedOnes = actions.filter((action) => action.request.operation === 'TerminateGameSession' && 'terminationMode' in action.request && action.request.terminationMode === 'FORCE_TERMINATE');
    if (protectedOnes.length > 0)
      found.push({ severity: 'bad', text: 'Forced: the server process is ended at once, protection does not help, and players are cut off.' });
    const capacity = actions.find((action) => action.request.operation === 'UpdateFleetCapacity')?.request;
    if (capacity?.operation === 'UpdateFleetCapacity' && capacity.desiredInstances !== null) {
      const policy = world.fleet(capacity.fleetId, stage.freshness())?.policies.find((one) => one.kind === 'targetBased');
      if (policy)
        found.push({ severity: 'warning', text: `Target policy ${policy.name} is active and sets desired instances by itself, so this value will not last. Suspend scaling or change minimum and maximum instead.` });
    }
    if (plan && plan.routes.length === 0)
      found.push({ severity: 'warning', text: 'Nothing leads new game sessions elsewhere, so new ones keep arriving and the drain may never end.' });
    return found;
  } // prettier-ignore

  /** What AWS answers to one change, and what follows it. */
  function answer(row: ActivityRow, action: Action, told: Told, index: number): void {
    const requestId = uuid(503, ++serial);
    const durationMs = 90 + Math.round(chance(504, serial) * 300);
    const ended = { endedMs: stage.now(), durationMs, requestId };
    if (stage.is('unknown')) {
      log.put({ ...row, ...ended, requestId: null, outcome: 'unknown', message: 'No answer came within 20 s. The change may or may not have reached GameLift.' });
      return;
    }
    const failing = row.runId !== null && chance(505, index) < 0.03;
    if (stage.is('refused') || failing) {
      log.put({
        ...row, ...ended, outcome: 'failed', awsCode: 'ConflictException',
        message: 'The game session is already TERMINATING. Nothing is left to do; it ends by itself.',
      });
      return;
    }
    const made = apply(action, world, row.id);
    if (told.undo) undoOf.set(row.id, told.undo);
    log.put({
      ...row, ...ended, outcome: 'done', made: made.made, madePlayerSessions: made.madePlayerSessions, link: made.link ?? row.link,
      canUndo: told.undo !== null, effect: { state: 'awaited', text: 'Waiting until GameLift shows it', atMs: stage.now() },
    });
    if (row.undoOf) log.patch(row.undoOf, { undoneBy: row.id, canUndo: false });
    setTimeout(() => {
      log.patch(row.id, { effect: { state: 'seen', text: effectText[row.operation] ?? 'GameLift shows the new value', atMs: stage.now() } });
      moved(...everything);
    }, 1_200);
  } // prettier-ignore

  function startBulk(actions: Action[], told: Told[], title: string): Run {
    const total = actions.length;
    return runs.start(
      { kind: 'bulk', title, region: actions[0]?.region ?? null, fleetId: null, total, done: 0, failed: 0, unknown: 0, ended: 0, skipped: 0, leftOut: [], left: total, message: null, drain: null },
      (run, resumed) => {
        if (stage.is('held') && resumed < 2 && run.left <= (total * (2 - resumed)) / 4) return null;
        if (run.left === 0) return { ...run, state: 'finished' };
        let next = run;
        for (let turn = 0; turn < Math.max(1, Math.round(total / 40)) && next.left > 0; turn++) {
          const index = total - next.left;
          const action = actions[index];
          const own = told[index];
          if (!action || !own) break;
          const id = uuid(502, ++serial);
          answer(rowOf(action, own, { id, atMs: stage.now(), runId: run.id }), action, own, index);
          const outcome = log.get(id)?.outcome;
          next = { ...next, left: next.left - 1, done: next.done + (outcome === 'done' ? 1 : 0), failed: next.failed + (outcome === 'failed' ? 1 : 0), unknown: next.unknown + (outcome === 'unknown' ? 1 : 0) };
        }
        return next;
      },
    );
  } // prettier-ignore

  function startDrain(plan: DrainPlan): Run {
    const live = world.sessions.filter((row) => row.fleetId === plan.fleetId && row.endedMs === null);
    const first = firstDrain(plan, live.length, live.reduce((sum, row) => sum + row.players, 0)); // prettier-ignore
    return runs.start(first, (run) => {
      const before = run.drain?.gameSessions ?? 0;
      if (stage.is('held') && before <= first.drain.startGameSessions / 2) return null;
      const next = drainTurn(run, () => {
        for (const row of world.fleet(plan.fleetId, stage.freshness())?.locations ?? [])
          world.resize(plan.fleetId, row.location, { desired: 0, min: 0, max: 0 });
      });
      for (const row of live.splice(0, before - (next?.drain?.gameSessions ?? before)))
        world.endSession(row.gameSessionId, 'PROCESS_ENDING');
      return next;
    });
  }

  function confirm(previewId: string, typed: string | null): Confirmed {
    const found = previews.get(previewId);
    if (!found || found.preview.expiresMs < stage.now())
      throw refusal('expired', 'This preview is too old to confirm.', 'Look at a fresh one, then confirm.');
    const { preview: shown, intent, told } = found;
    if (!operating())
      throw refusal('readOnly', 'The connection is read-only.', 'Unlock it, then confirm again.');
    if (shown.mustType !== null && typed !== shown.mustType)
      throw refusal('notTyped', `Type ${shown.mustType} to confirm.`);
    if (stage.is('moved') && !movedOnce) {
      movedOnce = true;
      return {
        kind: 'moved',
        what: [{ label: 'Players', before: String(shown.blast.playerSessions), after: String(shown.blast.playerSessions + 9) }],
        preview: preview(intent),
      }; // prettier-ignore
    }
    previews.delete(previewId);
    if (intent.kind === 'drain')
      return { kind: 'sent', receipt: { runId: startDrain(intent.plan).id, activityIds: [], leftOut: null } };
    if (intent.kind === 'resume') {
      if (!runs.set(intent.runId, 'running')) throw missing('Run', intent.runId);
      return { kind: 'sent', receipt: { runId: intent.runId, activityIds: [], leftOut: null } };
    }
    const actions = actionsOf(intent);
    if (actions.length > 1)
      return {
        kind: 'sent',
        receipt: { runId: startBulk(actions, told, shown.title).id, activityIds: [], leftOut: null },
      };
    const [action] = actions;
    const [own] = told;
    if (!action || !own) throw missing('Change', previewId);
    const id = uuid(502, ++serial);
    const undone = intent.kind === 'undo' ? intent.activityId : null;
    answer(rowOf(action, own, { id, atMs: stage.now(), undoOf: undone }), action, own, 0);
    moved(...everything);
    return { kind: 'sent', receipt: { runId: null, activityIds: [id], leftOut: null } };
  }

  const runOr = (id: string, run: Run | undefined): Promise<Run> =>
    run ? Promise.resolve(run) : Promise.reject(missing('Run', id));

  return {
    guardUnlock: (minutes, typed) => {
      const current = state().current;
      if (current?.environment === 'production' && typed !== current.name)
        return Promise.reject(refusal('notTyped', `Type ${current.name} to unlock a production connection.`));
      clearTimeout(expiry);
      expiry = setTimeout(() => void lock(), minutes * minute);
      return setMode({ kind: 'operator', untilMs: stage.now() + minutes * minute });
    },
    guardLock: lock,
    actionCheck: (action) =>
      Promise.resolve({ errors: problems(action.request), command: commandOf(action) }),
    actionPreview: (intent) => stage.answer(() => preview(intent)),
    actionConfirm: (id, typed) =>
      new Promise((resolve, reject) =>
        setTimeout(() => {
          try {
            resolve(confirm(id, typed));
          } catch (thrown) {
            reject(thrown);
          }
        }, 120),
      ),
    activityList: (query) =>
      stage.answer(() => (stage.is('empty') ? { rows: [], total: 0, unsettled: 0 } : log.list(query))),
    activityGet: (id) => {
      const row = log.get(id);
      return row ? Promise.resolve(row) : Promise.reject(missing('Change', id));
    },
    activitySettle: (id) => {
      const row = log.get(id);
      if (!row) return Promise.reject(missing('Change', id));
      const settled: ActivityRow = {
        ...row, outcome: 'failed', endedMs: stage.now(), message: 'GameLift shows everything as it was before: the change did not arrive.',
      }; // prettier-ignore
      log.put(settled);
      moved('activity');
      return Promise.resolve(settled);
    },
    activityExport: (_query, format) => Promise.resolve(`/home/ops/activity.${format}`),
    runList: (openOnly) => stage.answer(() => runs.list(openOnly)),
    runGet: (id) => runOr(id, runs.get(id)),
    runPause: (id) => runOr(id, runs.set(id, 'paused', 'Paused by you.')),
    runStop: (id) => runOr(id, runs.set(id, 'stopped', 'Stopped by you. What is done stays done.')),
    presetList: () => Promise.resolve(presets),
    presetSave: (preset) => {
      presets = [...presets.filter((one) => one.name !== preset.name), preset];
      return Promise.resolve(presets);
    },
    presetDelete: (name) => {
      presets = presets.filter((one) => one.name !== name);
      return Promise.resolve(presets);
    },
    sessionLogSave: (id) => Promise.resolve(`/home/ops/${id.slice(id.lastIndexOf('/') + 1)}.zip`),
  };
}

function wordOf(operation: string): string {
  return operation.startsWith('Terminate')
    ? 'Terminate'
    : operation.startsWith('Update')
      ? 'Update'
      : 'Change';
}
