/** Owns the type of a line in a list of facts. */
export type Fact = {
  readonly name: string;
  readonly value: string | null;
  /** Shortened in the middle and copied by a click. */
  readonly id?: boolean;
  /** The value's link. */
  readonly href?: string;
};
