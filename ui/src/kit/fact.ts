/** Owns what one line of a list of facts is. */
export type Fact = {
  readonly name: string;
  readonly value: string | null;
  /** Shortened in the middle and copied by a click. */
  readonly id?: boolean;
  /** The screen the value leads to. */
  readonly href?: string;
};
