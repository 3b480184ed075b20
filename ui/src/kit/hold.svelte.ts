/**
 * Owns keeping a list of cards as it stands while the hand, the pointer or the keyboard's focus, is in it: so that
 * nothing a person aims at moves away, and another thing is hit. What comes meanwhile is shown below what is there;
 * what goes stays in its place, marked as gone. Knows rows only by their keys.
 */
import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { isOverlaid } from './keys';

export type Held<Row> = {
  /** The newest of it, or the last there was. */
  readonly row: Row;
  /** Whether it is shown with all it has, not on one line. */
  readonly isFull: boolean;
  /** Whether it came while the list was held. */
  readonly isNew: boolean;
  /** Whether it is no longer among the rows. */
  readonly isGone: boolean;
};

/** The rows as they come. The first `full` of them are shown with all they have. */
export const asTheyCome = <Row>(rows: readonly Row[], full: number): Held<Row>[] =>
  rows.map((row, at) => ({ row, isFull: at < full, isNew: false, isGone: false }));

/** The rows where and as they were before, then those that are new. */
export function asTheyWere<Row>(
  rows: readonly Row[],
  key: (row: Row) => string,
  before: readonly Held<Row>[],
  full: number,
): Held<Row>[] {
  const now = new Map(rows.map((row) => [key(row), row]));
  const stay = before.map((one) => {
    const row = now.get(key(one.row));
    return row === undefined ? { ...one, isGone: true } : { ...one, row, isGone: false };
  });
  const known = new Set(before.map((one) => key(one.row)));
  const come = rows.filter((row) => !known.has(key(row)));
  return [
    ...stay,
    ...come.map((row, at) => ({ row, isFull: stay.length + at < full, isNew: true, isGone: false })),
  ];
}

export interface Hand {
  /** Whether the hand is in the element. */
  readonly isHere: boolean;
  /** Put on the element. */
  readonly attach: Attachment;
}

/** Follows the pointer over an element, and with `focus` also the focus in it, as far as a key brought it there. */
export function createHand({ focus = false } = {}): Hand {
  let pointed = $state(false);
  let focused = $state(false);

  const attach: Attachment = (node) => {
    pointed = focused = false;
    let over = false;
    let frame = 0;
    // What a click leaves the focus on is not what a person looks at any more once the pointer is gone.
    let byKey = false;
    // A menu or a dialog that was opened from here hangs on it, or came out of it: the hand is still here.
    const isFocused = () =>
      focus && (((pointed || focused) && isOverlaid()) || (byKey && node.contains(document.activeElement)));
    const press = () => {
      byKey = true;
    };
    const click = () => {
      byKey = false;
    };
    // Only with the next frame, so that what the hand has come to is held before this lets go; and because the focus may
    // move while the page is being changed, as when the element that has it is taken away.
    const look = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        focused = isFocused();
        pointed = over;
      });
    };
    const enter = () => {
      over = pointed = true;
    };
    const leave = () => {
      over = false;
      look();
    };
    node.addEventListener('pointerenter', enter);
    node.addEventListener('pointerleave', leave);
    node.addEventListener('focusout', look);
    document.addEventListener('focusin', look);
    // Before anything that these events lead to moves the focus.
    document.addEventListener('keydown', press, { capture: true });
    document.addEventListener('pointerdown', click, { capture: true });
    return () => {
      cancelAnimationFrame(frame);
      node.removeEventListener('pointerenter', enter);
      node.removeEventListener('pointerleave', leave);
      node.removeEventListener('focusout', look);
      document.removeEventListener('focusin', look);
      document.removeEventListener('keydown', press, { capture: true });
      document.removeEventListener('pointerdown', click, { capture: true });
    };
  };
  return {
    get isHere() {
      return pointed || focused;
    },
    attach,
  };
}

export interface Hold<Row> {
  readonly shown: readonly Held<Row>[];
  /** Put on the list's element. */
  readonly attach: Attachment;
  /** Takes the order and the form of now, because a person asked for it. */
  renew(): void;
}

/** Must be called while a component is being initialised. */
export function createHold<Row>(list: {
  rows: () => readonly Row[];
  key: (row: Row) => string;
  full: () => number;
}): Hold<Row> {
  const hand = createHand({ focus: true });
  let shown = $state.raw<readonly Held<Row>[]>([]);
  $effect.pre(() => {
    const [rows, full] = [list.rows(), list.full()];
    const before = untrack(() => shown);
    shown = hand.isHere ? asTheyWere(rows, list.key, before, full) : asTheyCome(rows, full);
  });
  return {
    get shown() {
      return shown;
    },
    attach: hand.attach,
    renew() {
      shown = asTheyCome(list.rows(), list.full());
    },
  };
}

export interface HeldHeight {
  /** The height of the element while the pointer is on what is below it, in CSS pixels; null otherwise. */
  readonly px: number | null;
  /** Put on what is below it. */
  readonly attach: Attachment;
}

/**
 * Keeps an element that grows and shrinks from moving what is below it while the pointer is there. `isThere` tells
 * whether it has its content: what stands in for it while it is loaded has another height.
 */
export function createHeldHeight(element: () => HTMLElement | null, isThere: () => boolean): HeldHeight {
  const hand = createHand();
  let px = $state.raw<number | null>(null);
  $effect(() => {
    const node = element();
    // The style's own pixels: the others are enlarged with the window.
    const height = hand.isHere && isThere() && node ? parseFloat(getComputedStyle(node).height) : NaN;
    px = Number.isFinite(height) ? height : null;
  });
  return {
    get px() {
      return px;
    },
    attach: hand.attach,
  };
}
