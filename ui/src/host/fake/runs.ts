/** Owns the invented runs: bulk changes and drains that go on by themselves, and can be paused and stopped. */
import type { DrainPlan, DrainStep, Run } from '$host/bindings.gen';
import { fleetById } from './fleets';
import { uuid } from './random';

type Work = { run: Run; step: (run: Run, resumed: number) => Run | null; resumed: number };

let serial = 0;

export class Runs {
  readonly #all = new Map<string, Work>();

  /** `now` is the world's clock; `moved` is called after every step. */
  constructor(
    readonly now: () => number,
    readonly moved: () => void,
  ) {}

  list(openOnly: boolean): Run[] {
    const rows = [...this.#all.values()].map((work) => work.run);
    return rows.filter((run) => !openOnly || run.state === 'running' || run.state === 'paused').reverse();
  }
  get(id: string): Run | undefined {
    return this.#all.get(id)?.run;
  }
  /** `step` answers the next state of a run resumed so often, null to wait; it is called until the run is over. */
  start(first: Omit<Run, 'id' | 'createdMs' | 'changedMs' | 'state'>, step: Work['step']): Run {
    const id = uuid(401, ++serial);
    const run: Run = { ...first, id, state: 'running', createdMs: this.now(), changedMs: this.now() };
    this.#all.set(id, { run, step, resumed: 0 });
    this.#turn(id);
    return run;
  }
  set(id: string, state: Run['state'], message: string | null = null): Run | undefined {
    const work = this.#all.get(id);
    if (!work) return undefined;
    work.run = { ...work.run, state, message, changedMs: this.now() };
    this.moved();
    if (state === 'running') {
      work.resumed++;
      this.#turn(id);
    }
    return work.run;
  }
  pauseAll(message: string): void {
    for (const run of this.list(true)) if (run.state === 'running') this.set(run.id, 'paused', message);
  }
  #turn(id: string): void {
    setTimeout(() => {
      const work = this.#all.get(id);
      if (work?.run.state !== 'running') return;
      const next = work.step(work.run, work.resumed);
      if (next) {
        work.run = { ...next, changedMs: this.now() };
        this.moved();
      }
      this.#turn(id);
    }, 90);
  }
}

const titles: Record<DrainStep['key'], string> = {
  route: 'Lead new game sessions elsewhere',
  protect: 'Protect running game sessions',
  suspend: 'Suspend scaling',
  wait: 'Wait until every game session has ended',
  scale: 'Scale to zero',
};

/** The first state of a drain of a fleet with so many game sessions and players. */
export function firstDrain(plan: DrainPlan, gameSessions: number, playerSessions: number) {
  const fleet = fleetById(plan.fleetId);
  const wanted: Record<DrainStep['key'], boolean> = {
    route: plan.routes.length > 0,
    protect: plan.protect,
    suspend: plan.suspendScaling,
    wait: true,
    scale: plan.scaleToZero,
  };
  const steps = (Object.keys(titles) as DrainStep['key'][]).map((key): DrainStep => ({
    key,
    title: titles[key],
    state: wanted[key] ? 'waiting' : 'skipped',
    detail: wanted[key] ? null : 'not part of this drain',
  }));
  return {
    kind: 'drain' as const, title: `Drain ${fleet?.name ?? plan.fleetId}`, region: plan.region, fleetId: plan.fleetId,
    total: steps.filter((step) => step.state === 'waiting').length, done: 0, failed: 0, unknown: 0, ended: 0, skipped: 0, leftOut: [],
    left: steps.filter((step) => step.state === 'waiting').length, message: null,
    drain: { steps, gameSessions, playerSessions, newGameSessions: 0, startGameSessions: gameSessions, estimateMs: 37 * 60_000, estimateText: 'About 37 min left: half of this fleet’s game sessions last under 24 min, 95 % under 37 min.' },
  }; // prettier-ignore
}

/** One turn of a drain: acts on the step at hand; while waiting, a few game sessions end. */
export function drainTurn(run: Run, onScaled: () => void): Run | null {
  const drain = run.drain;
  const index = drain?.steps.findIndex((step) => step.state === 'waiting' || step.state === 'running') ?? -1;
  const step = drain?.steps[index];
  if (!drain || !step) return { ...run, state: 'finished', message: 'The fleet is drained.' };
  const put = (next: Partial<DrainStep>) => drain.steps.with(index, { ...step, ...next });
  if (step.state === 'waiting') return { ...run, drain: { ...drain, steps: put({ state: 'running' }) } };
  if (step.key === 'wait' && drain.gameSessions > 0) {
    const gameSessions = Math.max(0, drain.gameSessions - Math.ceil(drain.startGameSessions / 160));
    const share = gameSessions / Math.max(1, drain.startGameSessions);
    const minutes = Math.max(1, Math.round(37 * share));
    return {
      ...run,
      drain: {
        ...drain, gameSessions, playerSessions: Math.round(drain.playerSessions * (gameSessions / Math.max(1, drain.gameSessions))),
        estimateMs: minutes * 60_000, estimateText: `About ${minutes} min left: 95 % of this fleet’s game sessions last under 37 min.`,
        steps: put({ detail: `${gameSessions} of ${drain.startGameSessions} game sessions left` }),
      },
    }; // prettier-ignore
  }
  if (step.key === 'scale') onScaled();
  const done = run.done + 1;
  return {
    ...run,
    done,
    left: run.total - done,
    drain: { ...drain, steps: put({ state: 'done', detail: null }) },
  };
}
