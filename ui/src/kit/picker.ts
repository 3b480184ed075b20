/** Owns the type of a picker's choices. */
import type { DotState } from './states';

export type PickerChoice = {
  readonly key: string;
  readonly title: string;
  readonly note?: string;
  readonly state?: DotState;
};
