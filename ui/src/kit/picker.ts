/** Owns what one choice of a picker is. */
import type { DotState } from './states';

export type PickerChoice = {
  readonly key: string;
  readonly title: string;
  readonly note?: string;
  readonly state?: DotState;
};
