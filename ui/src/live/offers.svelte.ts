/** Owns the actions that the current screen offers for its selection. The action registry lists them. */
import { untrack } from 'svelte';

export type Offer = {
  readonly key: string;
  readonly title: string;
  /** One key, such as `e`; absent if the action is only in the palette. */
  readonly keys?: string;
  readonly run: () => void;
};

let sources = $state.raw<readonly (() => readonly Offer[])[]>([]);

export const offers = {
  /** Reads the current state when called. */
  get all(): Offer[] {
    return sources.flatMap((source) => source());
  },
};

/** Must be called while a component is being initialised; ends with it. */
export function offer(source: () => readonly Offer[]): void {
  $effect(() => {
    untrack(() => (sources = [...sources, source]));
    return () => {
      sources = sources.filter((one) => one !== source);
    };
  });
}
