/**
 * Owns checking a form while it is filled in: the problems of its fields by the core's rules, and the
 * equivalent AWS CLI command. Deliberately never calls AWS.
 */
import type { Action } from './types';
import { wire } from './wire';

export interface ActionCheck {
  /** By the field's name in the request: `maximumPlayerSessionCount`, `gameProperties[2].key`. */
  readonly problems: Readonly<Record<string, string>>;
  /** Fields in `problems` that are still empty. */
  readonly missing: ReadonlySet<string>;
  /** The equivalent `aws gamelift …` line; null before the first answer. */
  readonly command: string | null;
  /** True if the last check was of the form as it is now and found no problem. */
  readonly passed: boolean;
  /**
   * Waits for the check of the form as it is now: for a form that is sent the moment it is filled in. False,
   * too, if it was sent again meanwhile (the later call has the answer), or was closed.
   */
  passes(): Promise<boolean>;
}

/**
 * Must be called while a component is being initialised. `action` returns null while the form does not make
 * one.
 */
export function createActionCheck(action: () => Action | null): ActionCheck {
  let problems = $state.raw<Readonly<Record<string, string>>>({});
  let missing = $state.raw<ReadonlySet<string>>(new Set());
  let command = $state.raw<string | null>(null);
  let passed = $state.raw(false);
  let sequence = 0;
  let running = Promise.resolve();
  let calls = 0;

  async function check(of: Action): Promise<void> {
    const mine = ++sequence;
    passed = false;
    try {
      const answer = await wire().actionCheck(of);
      if (mine !== sequence) return;
      // If a field has several errors, the first one is shown.
      problems = Object.fromEntries([...answer.errors].reverse().map((one) => [one.field, one.message]));
      missing = new Set(answer.errors.filter((one) => one.isMissing).map((one) => one.field));
      command = answer.command;
      passed = answer.errors.length === 0;
    } catch {
      // The check is only a convenience: the preview checks again and shows what failed.
      if (mine !== sequence) return;
      problems = {};
      missing = new Set();
      passed = true;
    }
  }

  // Made again whenever the rows behind the form are read again; that alone must not take Review away.
  const form = $derived(JSON.stringify(action()));
  $effect(() => {
    const of = JSON.parse(form) as Action | null;
    if (of) running = check(of);
    else {
      sequence++;
      problems = {};
      missing = new Set();
      command = null;
      passed = false;
    }
  });
  $effect(() => () => {
    sequence++;
  });

  async function passes(): Promise<boolean> {
    const mine = ++calls;
    let awaited: Promise<void>;
    do {
      awaited = running;
      await awaited;
    } while (awaited !== running);
    return passed && mine === calls;
  }

  return {
    passes,
    get problems() {
      return problems;
    },
    get missing() {
      return missing;
    },
    get command() {
      return command;
    },
    get passed() {
      return passed;
    },
  };
}
