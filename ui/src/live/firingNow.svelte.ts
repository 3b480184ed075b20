/** Owns the alerts that fire now, asked for once for the whole window: its title, the rail, notes beside figures. */
import { program } from './program.svelte';
import { createQuery } from './query.svelte';
import type { Alert, AlertList } from './types';
import { nowMs } from './wire';

let last = $state.raw<AlertList | null>(null);
const open = $derived(last?.alerts.filter((alert) => alert.endedAt === null) ?? []);

export const firingNow = {
  /** The last answer; null before the first. */
  get last(): AlertList | null {
    return last;
  },
  /** Those that fire now. */
  get alerts(): readonly Alert[] {
    return open;
  },
};

/** Begins to ask. Must be called while a component is being initialised, by one only; ends with it. */
export function askFiring(): void {
  const connection = $derived(program.state?.current?.id ?? '');
  const query = createQuery<AlertList>({
    identity: () => connection,
    // Whatever the range: the answer always has those that fire.
    ask: (calls) => calls.alertList({ from: nowMs(), to: nowMs() + 1 }),
  });
  $effect.pre(() => {
    last = query.data;
  });
  $effect(() => () => {
    last = null;
  });
}
