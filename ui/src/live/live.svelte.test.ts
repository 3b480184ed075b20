import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCalls, subjects } from '$host/bindings.gen';
import type { Host } from '$host/host';
import {
  address,
  currentRange,
  go,
  href,
  listHref,
  setQuery,
  setRange,
  startAddress,
} from './address.svelte';
import { notingCalls } from './calls';
import { createPaged, type Paged } from './paged.svelte';
import { program } from './program.svelte';
import { createQuery, type Query } from './query.svelte';
import { startPulse } from './revision.svelte';
import type { AppError, AppState, Calls, Changed, CommandName, Environment, Preset, Subject } from './types';
import { connect } from './wire';

const refused: AppError = {
  kind: 'throttled', message: 'Slow down.', resource: null, awsCode: 'ThrottlingException', requestId: 'r-1', retryable: true, remedy: null, fields: [],
}; // prettier-ignore

let hint: (changed: Changed) => void = () => undefined;
let stop: () => void = () => undefined;
/** The commands sent to the host. */
const called: string[] = [];
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Runs as a component would, and ends with the test. */
function inComponent<T>(make: () => T): T {
  let made: T | undefined;
  const end = $effect.root(() => {
    made = make();
  });
  flushSync();
  const before = stop;
  stop = () => {
    before();
    end();
  };
  return made as T;
}

beforeEach(async () => {
  vi.useFakeTimers();
  location.hash = '';
  called.splice(0);
  const calls = createCalls((command) => (called.push(command), Promise.resolve(null as never)));
  const host: Partial<Host> = {
    ...calls,
    onChanged: (listener) => ((hint = listener), Promise.resolve(() => undefined)),
  };
  connect(host as Host, () => Date.UTC(2026, 10, 21, 15));
  stop = await startPulse();
});
afterEach(() => {
  stop();
  localStorage.clear();
  vi.useRealTimers();
});

describe('the calls of a question', () => {
  it('are those of the host, and note the subjects of the command that is sent', () => {
    const own = Object.keys(createCalls(vi.fn()));
    expect(Object.keys(notingCalls(new Set())).toSorted()).toEqual(own.toSorted());
    for (const method of own) {
      const noted = new Set<Subject>();
      (notingCalls(noted)[method as keyof Calls] as () => unknown)();
      expect([method, [...noted]]).toEqual([method, subjects[called.at(-1) as CommandName]]);
    }
  });

  it('hand on what they are given', async () => {
    const saved = vi.fn(() => Promise.resolve([]));
    connect({ presetSave: saved } as Partial<Host> as Host, Date.now);
    const preset: Preset = { name: 'a', kind: 'newSession', body: '{}' };
    expect(await notingCalls(new Set()).presetSave(preset)).toEqual([]);
    expect(saved).toHaveBeenCalledExactlyOnceWith(preset);
  });
});

describe('a question', () => {
  it('is asked again when its subject moves, and not when another does', async () => {
    inComponent(() => createQuery({ ask: (calls) => calls.fleetGet('fleet-1') }));
    await settle();
    hint({ revision: 2, subjects: ['aliases'] });
    expect(called).toEqual(['fleet_get']);
    hint({ revision: 3, subjects: ['fleets', 'capacity'] });
    expect(called).toEqual(['fleet_get', 'fleet_get']);
  });

  it('that asks two commands is asked again when a subject of either moves', async () => {
    const ask = vi.fn((calls: Calls) => Promise.all([calls.queueList(), calls.presetList()]));
    inComponent(() => createQuery({ ask }));
    await settle();
    hint({ revision: 2, subjects: ['queues'] });
    await settle();
    hint({ revision: 3, subjects: ['settings'] });
    await settle();
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('that asks a command only after an answer is asked again when a subject of it moves', async () => {
    const ask = vi.fn(async (calls: Calls) => {
      await calls.queueList();
      return calls.presetList();
    });
    inComponent(() => createQuery({ ask }));
    await settle();
    hint({ revision: 2, subjects: ['settings'] });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('that asks a command only in a later run is asked again when a subject of it moves', async () => {
    let id = $state<string | null>(null);
    const ask = vi.fn((calls: Calls) => (id === null ? Promise.resolve(null) : calls.runGet(id)));
    inComponent(() => createQuery({ ask }));
    await settle();
    hint({ revision: 2, subjects: ['activity'] });
    expect(ask).toHaveBeenCalledTimes(1);
    id = 'run-1';
    flushSync();
    await settle();
    hint({ revision: 3, subjects: ['activity'] });
    expect(ask).toHaveBeenCalledTimes(3);
  });

  it('is asked again after five seconds without any hint', async () => {
    const ask = vi.fn(() => Promise.resolve(1));
    inComponent(() => createQuery({ ask }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('that is refused keeps its last answer and tells the refusal', async () => {
    const answers = [() => Promise.resolve('first'), () => Promise.reject(refused)];
    const query = inComponent(() =>
      createQuery({
        ask: () => (answers.shift() ?? (() => Promise.resolve('later')))(),
      }),
    ) as Query<string>;
    await settle();
    query.pull();
    await settle();
    expect([query.data, query.error?.awsCode, query.loading]).toEqual([
      'first',
      'ThrottlingException',
      false,
    ]);
    query.pull();
    await settle();
    expect([query.data, query.error]).toEqual(['later', null]);
  });

  it('of another identity drops the old answer at once, and a late old answer changes nothing', async () => {
    let id = $state('a');
    const answer: Record<string, (value: string) => void> = {};
    const query = inComponent(() =>
      createQuery({
        identity: () => id,
        ask: () => {
          const own = id;
          return new Promise<string>((resolve) => (answer[own] = resolve));
        },
      }),
    );
    id = 'b';
    flushSync();
    answer.b?.('b');
    await settle();
    answer.a?.('a');
    await settle();
    expect(query.data).toBe('b');
  });

  it('that is still open when hints pour in is asked once more, not once a hint', async () => {
    const open: (() => void)[] = [];
    const ask = vi.fn(async (calls: Calls) => {
      await calls.fleetList({ from: 0, to: 0 });
      return new Promise<number>((resolve) => open.push(() => resolve(1)));
    });
    inComponent(() => createQuery({ ask }));
    await settle();
    for (let revision = 1; revision <= 9; revision++) hint({ revision, subjects: ['fleets'] });
    open[0]?.();
    await settle();
    expect(ask).toHaveBeenCalledTimes(2);
  });
});

describe('a long list', () => {
  const asked: number[] = [];
  const list = (): Paged<number> =>
    inComponent(() =>
      createPaged<number>({
        identity: () => 'all',
        ask: async ({ offset, limit }, calls) => {
          asked.push(offset);
          await calls.queueList();
          const rows = Array.from(
            { length: Math.min(limit, 100_000 - offset) },
            (_, index) => offset + index,
          );
          return { rows, total: 100_000, freshness: { asOf: 0, stale: false } };
        },
      }),
    );

  beforeEach(() => asked.splice(0));

  it('holds its whole length with only the pages in view', async () => {
    const page = list();
    await settle();
    expect([page.total, page.rows[0], page.rows[500]]).toEqual([100_000, 0, undefined]);
    page.show(99_790, 99_999);
    await settle();
    expect(page.rows[99_999]).toBe(99_999);
    expect(asked).toEqual([0, 99_600, 99_800]);
  });

  it('that is scrolled fast asks for the place where it ends, not for each it passes', async () => {
    const page = list();
    await settle();
    asked.splice(0);
    for (let first = 1_000; first <= 90_000; first += 1_000) page.show(first, first + 30);
    await settle();
    expect(asked).toEqual([1_000, 2_000, 90_000]);
    expect(page.rows[90_030]).toBe(90_030);
  });

  it('drops pages that are far from the view', async () => {
    const page = list();
    await settle();
    page.show(1_000, 1_030);
    await settle();
    expect([page.rows[0], page.rows[1_000]]).toEqual([0, 1_000]);
    page.show(50_000, 50_030);
    await settle();
    expect([page.rows[0], page.rows[1_000], page.rows[50_030], page.total]).toEqual([
      undefined,
      undefined,
      50_030,
      100_000,
    ]);
    page.show(0, 30);
    await settle();
    expect(page.rows[0]).toBe(0);
  });

  it('asks again only for what is in view when something moved', async () => {
    const page = list();
    await settle();
    page.show(1_000, 1_030);
    await settle();
    asked.splice(0);
    hint({ revision: 5, subjects: ['queues'] });
    await settle();
    expect(asked).toEqual([1_000]);
  });
});

describe('the address', () => {
  const moved = async () => {
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    await settle();
  };

  beforeEach(() => {
    const end = startAddress();
    const before = stop;
    stop = () => {
      before();
      end();
    };
  });

  const open = async (id: string, environment: Environment) => {
    const state = { current: { id, environment } } as AppState;
    connect({ appState: () => Promise.resolve(state) } as Partial<Host> as Host, Date.now);
    await program.load();
  };
  const started = () => {
    history.replaceState(null, '', '#');
    startAddress()();
    return address.path;
  };

  it('of the last run on the open connection is where a start begins', async () => {
    await open('arena', 'production');
    go('#/fleets/fleet-1/events');
    await moved();
    expect(started()).toEqual(['fleets', 'fleet-1', 'events']);
    await open('royale', 'production');
    expect(started()).toEqual(['overview']);
    await open('arena', 'production');
    expect(started()).toEqual(['fleets', 'fleet-1', 'events']);
  });

  it('can be started by an effect, which starts it once', () => {
    const effect = vi.fn(() => startAddress());
    const end = $effect.root(() => {
      $effect.pre(effect);
    });
    flushSync();
    go('#/aliases');
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    flushSync();
    end();
    expect(effect).toHaveBeenCalledOnce();
  });

  it('of a demo is forgotten, because the next demo is another world', async () => {
    await open('demo', 'demo');
    go('#/alerts/alert-1');
    await moved();
    expect(address.path).toEqual(['alerts', 'alert-1']);
    expect(started()).toEqual(['overview']);
  });

  it('keeps the time range from screen to screen', async () => {
    setRange({ kind: 'last', minutes: 15 });
    await moved();
    go('#/aliases');
    await moved();
    expect(address.range).toEqual({ kind: 'last', minutes: 15 });
    expect(href(['fleets'])).toBe('#/fleets?last=15m');
    expect(currentRange().to - currentRange().from).toBe(15 * 60_000);
  });

  it('keeps both of two changes that follow each other at once', async () => {
    go('#/fleets');
    await moved();
    setQuery({ q: 'spot' });
    setQuery({ sort: '-name' }, true);
    await moved();
    expect(address.query).toEqual({ q: 'spot', sort: '-name' });
  });

  it('remembers how a list was left', async () => {
    go('#/fleets');
    await moved();
    setQuery({ q: 'spot' }, true);
    go('#/fleets/fleet-1/scaling');
    await moved();
    expect(listHref('fleets')).toBe('#/fleets?q=spot');
  });
});
