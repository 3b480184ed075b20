/** Owns the type of a menu item. */
export type MenuItem = {
  readonly key: string;
  readonly title: string;
  readonly note?: string;
  /** Whether it is the current choice. */
  readonly on?: boolean;
  /** A CSS colour for a dot before it. */
  readonly color?: string;
  readonly onpick: () => void;
};
