/**
 * Owns a long list that the UI never holds whole. Pages are loaded as they come into view and dropped when they are
 * far from it, and only the pages in view are reloaded when something changes. Rows not loaded are undefined, which
 * the table draws as not loaded.
 */
import { untrack } from 'svelte';
import { notingCalls } from './calls';
import { asAppError } from './error';
import { watch } from './revision.svelte';
import type { AppError, Calls, Freshness, Page, Subject } from './types';

type Answer<Row> = { rows: Row[]; total: number; freshness: Freshness };

export interface Paged<Row, A extends Answer<Row> = Answer<Row>> {
  /** Sparse: the index is the row's position in the whole list. */
  readonly rows: readonly (Row | undefined)[];
  readonly total: number;
  /** The newest answer, for what is shown beside the rows. */
  readonly answer: A | null;
  readonly error: AppError | null;
  readonly loading: boolean;
  /** Reports which rows are in view, inclusive. */
  show(first: number, last: number): void;
  pull(): void;
}

const pageSize = 200;
/** Pages kept on each side of those in view. */
const nearPages = 15;
/** Requests for pages under way at once: more would make a fast scroll wait for the pages it has passed. */
const mostRunning = 2;

/** Must be called while a component is being initialised; ends with it. */
export function createPaged<Row, A extends Answer<Row> = Answer<Row>>(question: {
  /** A change of identity (another filter or sort) starts at the top with no rows. */
  identity: () => string;
  /** Must use only the calls passed in, or changes go unnoticed. */
  ask: (page: Page, calls: Calls) => Promise<A>;
}): Paged<Row, A> {
  let rows = $state.raw<readonly (Row | undefined)[]>([]);
  let answer = $state.raw<A | null>(null);
  let error = $state.raw<AppError | null>(null);
  let era = 0;
  let inView = [0];
  /** The pages in view that are not loaded, and not asked for since they came into view. */
  let wanted: readonly number[] = [];
  const noted = new Set<Subject>();
  const calls = notingCalls(noted);
  const asked = new Map<number, 'running' | 'again'>();

  async function fetchPage(index: number): Promise<void> {
    if (asked.has(index)) {
      asked.set(index, 'again');
      return;
    }
    asked.set(index, 'running');
    const mine = era;
    try {
      const fresh = await question.ask({ offset: index * pageSize, limit: pageSize }, calls);
      if (mine === era) place(index, fresh);
    } catch (thrown) {
      if (mine === era) error = asAppError(thrown);
    }
    if (mine !== era) return;
    const repeat = asked.get(index) === 'again';
    asked.delete(index);
    if (repeat && inView.includes(index)) void fetchPage(index);
    fetchWanted();
  }

  function fetchWanted(): void {
    for (let index = wanted[0]; index !== undefined && asked.size < mostRunning; index = wanted[0]) {
      wanted = wanted.slice(1);
      if (!asked.has(index)) void fetchPage(index);
    }
  }

  function place(index: number, fresh: A): void {
    const from = Math.max(0, (inView[0] ?? 0) - nearPages) * pageSize;
    const to = Math.min(fresh.total, ((inView.at(-1) ?? 0) + nearPages + 1) * pageSize);
    const next: (Row | undefined)[] = [];
    next.length = fresh.total;
    for (let at = from; at < to; at++) if (rows[at] !== undefined) next[at] = rows[at];
    fresh.rows.forEach((row, offset) => {
      next[index * pageSize + offset] = row;
    });
    rows = next;
    answer = fresh;
    error = null;
  }

  function pull(): void {
    untrack(() => inView.forEach((index) => void fetchPage(index)));
  }

  $effect(() => {
    question.identity();
    era++;
    asked.clear();
    inView = [0];
    wanted = [];
    rows = [];
    answer = null;
    error = null;
    pull();
  });
  $effect(() => watch(noted, pull));
  $effect(() => () => {
    era++;
  });

  return {
    get rows() {
      return rows;
    },
    get total() {
      return rows.length;
    },
    get answer() {
      return answer;
    },
    get error() {
      return error;
    },
    get loading() {
      return answer === null && error === null;
    },
    show(first, last) {
      const from = Math.floor(Math.max(0, first) / pageSize);
      const to = Math.floor(Math.max(0, last) / pageSize);
      inView = Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
      wanted = inView.filter((index) => {
        const first = index * pageSize;
        return first < rows.length && rows[first] === undefined;
      });
      fetchWanted();
    },
    pull,
  };
}
