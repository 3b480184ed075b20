/** Owns what the screen in front offers to do with its current selection. The action registry lists it. */
import { untrack } from 'svelte';

export type Offer = {
  readonly key: string;
  readonly title: string;
  /** One key, such as `e`; none for the palette only. */
  readonly keys?: string;
  readonly run: () => void;
};

let sources = $state.raw<readonly (() => readonly Offer[])[]>([]);

export const offers = {
  /** Reads the state of now when called. */
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
