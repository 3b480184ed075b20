/**
 * Owns one query to the host and its last answer. The answer is replaced, never mutated, and stays until the
 * next one arrives, so that nothing on the screen jumps. A failed pull keeps the answer and sets the error.
 * Asks again when a subject changes of any command it has used, in this run or an earlier one.
 */
import { untrack } from 'svelte';
import { notingCalls } from './calls';
import { asAppError } from './error';
import { watch } from './revision.svelte';
import type { AppError, Calls, Subject } from './types';
import { nowMs } from './wire';

export interface Query<T> {
  readonly data: T | null;
  readonly error: AppError | null;
  /** Neither an answer nor an error yet: the screen shows its skeleton. */
  readonly loading: boolean;
  /** When the last answer arrived, in epoch milliseconds; null before the first. */
  readonly answeredMs: number | null;
  /** Asks again now. */
  pull(): void;
}

export interface Question<T> {
  /** What the answer is about. When it changes, the old answer is dropped at once. */
  identity?: () => string;
  /**
   * Must use only the calls passed in, or changes go unnoticed. Runs again when a reactive value read before
   * the first await changes.
   */
  ask: (calls: Calls) => Promise<T>;
}

/** Must be called while a component is being initialised; ends with it. */
export function createQuery<T>(question: Question<T>): Query<T> {
  let data = $state.raw<T | null>(null);
  let error = $state.raw<AppError | null>(null);
  let answeredMs = $state.raw<number | null>(null);
  let lastIdentity: string | undefined;
  let sequence = 0;
  let running = false;
  let again = false;
  const noted = new Set<Subject>();
  const calls = notingCalls(noted);

  async function run(answer: Promise<T>): Promise<void> {
    const mine = ++sequence;
    running = true;
    try {
      const value = await answer;
      if (mine !== sequence) return;
      data = value;
      error = null;
      answeredMs = nowMs();
    } catch (thrown) {
      if (mine === sequence) error = asAppError(thrown);
    } finally {
      if (mine === sequence) running = false;
    }
    if (mine === sequence && again) pull();
  }

  function pull(): void {
    if (running) {
      again = true;
      return;
    }
    again = false;
    void run(untrack(() => question.ask(calls)));
  }

  $effect(() => {
    const identity = question.identity?.();
    if (identity !== lastIdentity) {
      lastIdentity = identity;
      data = null;
      error = null;
      answeredMs = null;
    }
    again = false;
    void run(question.ask(calls));
  });
  $effect(() => watch(noted, pull));
  $effect(() => () => {
    sequence++;
  });

  return {
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    get loading() {
      return data === null && error === null;
    },
    get answeredMs() {
      return answeredMs;
    },
    pull,
  };
}
