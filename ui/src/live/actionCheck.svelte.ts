/**
 * Owns checking a form while it is being filled in: the core's rules, as problems at fields, and the equivalent line
 * of the AWS CLI. Nothing is asked of AWS.
 */
import type { Action } from './types';
import { wire } from './wire';

export interface ActionCheck {
  /** By field, as the request spells it: `maximumPlayerSessionCount`, `gameProperties[2].key`. */
  readonly problems: Readonly<Record<string, string>>;
  /** Fields of `problems` in which nothing was entered yet. */
  readonly missing: ReadonlySet<string>;
  /** The equivalent `aws gamelift …` line; null before the first answer. */
  readonly command: string | null;
  /** The answer is about the form as it stands, and nothing is wrong. */
  readonly passed: boolean;
}

/** Must be called while a component is being initialised. `action` is null while the form cannot say one. */
export function createActionCheck(action: () => Action | null): ActionCheck {
  let problems = $state.raw<Readonly<Record<string, string>>>({});
  let missing = $state.raw<ReadonlySet<string>>(new Set());
  let command = $state.raw<string | null>(null);
  let passed = $state.raw(false);
  let sequence = 0;

  async function check(of: Action): Promise<void> {
    const mine = ++sequence;
    passed = false;
    try {
      const answer = await wire().actionCheck(of);
      if (mine !== sequence) return;
      // The first complaint about a field is the one to mend first.
      problems = Object.fromEntries([...answer.errors].reverse().map((one) => [one.field, one.message]));
      missing = new Set(answer.errors.filter((one) => one.isMissing).map((one) => one.field));
      command = answer.command;
      passed = answer.errors.length === 0;
    } catch {
      // The preview asks again and shows what failed; a check is only a convenience.
      if (mine !== sequence) return;
      problems = {};
      missing = new Set();
      passed = true;
    }
  }

  $effect(() => {
    const of = action();
    if (of) void check(of);
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

  return {
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
