/** Owns what a menu item is. */
export type MenuItem = {
  readonly key: string;
  readonly title: string;
  readonly note?: string;
  /** The one in force. */
  readonly on?: boolean;
  /** A CSS colour for a dot before it. */
  readonly color?: string;
  readonly onpick: () => void;
};
