import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
import { createPaged, type Paged } from './paged.svelte';
import { createQuery, type Query } from './query.svelte';
import { startPulse } from './revision.svelte';
import type { AppError, Changed } from './types';
import { connect } from './wire';

const refused: AppError = {
  kind: 'throttled', message: 'Slow down.', resource: null, awsCode: 'ThrottlingException', requestId: 'r-1', retryable: true, remedy: null, fields: [],
}; // prettier-ignore

let hint: (changed: Changed) => void = () => undefined;
let stop: () => void = () => undefined;
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
  const host = {
    onChanged: (listener: typeof hint) => ((hint = listener), Promise.resolve(() => undefined)),
  };
  connect(host as unknown as Host, () => Date.UTC(2026, 10, 21, 15));
  stop = await startPulse();
});
afterEach(() => {
  stop();
  localStorage.clear();
  vi.useRealTimers();
});

describe('a question', () => {
  it('is asked again when its subject moves, and not when another does', async () => {
    const ask = vi.fn(() => Promise.resolve(1));
    inComponent(() => createQuery({ subjects: ['fleets'], ask }));
    await settle();
    hint({ revision: 2, subjects: ['aliases'] });
    expect(ask).toHaveBeenCalledTimes(1);
    hint({ revision: 3, subjects: ['fleets', 'capacity'] });
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('is asked again after five seconds without any hint', async () => {
    const ask = vi.fn(() => Promise.resolve(1));
    inComponent(() => createQuery({ subjects: ['fleets'], ask }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('that is refused keeps its last answer and tells the refusal', async () => {
    const answers = [() => Promise.resolve('first'), () => Promise.reject(refused)];
    const query = inComponent(() =>
      createQuery({
        subjects: ['fleets'],
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
        subjects: [],
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
    const ask = vi.fn(() => new Promise<number>((resolve) => open.push(() => resolve(1))));
    inComponent(() => createQuery({ subjects: ['fleets'], ask }));
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
        subjects: ['gameSessions'],
        ask: ({ offset, limit }) => {
          asked.push(offset);
          const rows = Array.from(
            { length: Math.min(limit, 100_000 - offset) },
            (_, index) => offset + index,
          );
          return Promise.resolve({ rows, total: 100_000, freshness: { asOfMs: 0, stale: false } });
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

  it('asks again only for what is in view when something moved', async () => {
    const page = list();
    await settle();
    page.show(1_000, 1_030);
    await settle();
    asked.splice(0);
    hint({ revision: 5, subjects: ['gameSessions'] });
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

  it('of the last run is where a start begins', () => {
    go('#/fleets/fleet-1/events');
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    history.replaceState(null, '', '#');
    startAddress()();
    expect(address.path).toEqual(['fleets', 'fleet-1', 'events']);
  });

  it('keeps the time range from screen to screen', async () => {
    setRange({ kind: 'last', minutes: 15 });
    await moved();
    go('#/aliases');
    await moved();
    expect(address.range).toEqual({ kind: 'last', minutes: 15 });
    expect(href(['fleets'])).toBe('#/fleets?last=15m');
    expect(currentRange().toMs - currentRange().fromMs).toBe(15 * 60_000);
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
