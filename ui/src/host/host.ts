/** Owns the host's interface: calls from the screens to the core, and hints back. */
import type { Calls, Changed, Health } from './bindings.gen';

export type Unsubscribe = () => void;

/** A page that somebody opened from outside: a notification, the tray, a link. */
export interface Place {
  /** The window's own address. */
  route: string;
  /** The connection to open first; null for a page of the one that is open. */
  connection: string | null;
}

/** The notifications of the computer's own system. */
export interface Notifications {
  /** Shows one that says that nothing is wrong. */
  test(): Promise<void>;
  /** Why the last one could not be shown; null if it was. */
  trouble(): Promise<string | null>;
}

/**
 * Every call rejects with an `AppError`. A call that makes a file saves it where the person chooses and
 * resolves with its path (in a browser, with its name).
 */
export interface Host extends Calls {
  /** Reports what changed, at most four times a second and in under 1 KB; not the data itself. */
  onChanged(listener: (changed: Changed) => void): Promise<Unsubscribe>;
  /** Reports at most once a second. */
  onHealth(listener: (health: Health) => void): Promise<Unsubscribe>;
  /** Scales everything by a factor, as a browser's zoom does: the layout adapts to the space that is left. */
  zoomSet(factor: number): Promise<void>;
  /** Sets the title of the window, or of the browser's tab. */
  titleSet(title: string): Promise<void>;
  /** Asks for a zip file. Resolves with its path on the core's machine, or null if the person cancels. */
  zipPick(): Promise<string | null>;
  /** Reports that a page waits that was opened from outside. */
  onPlace(listener: () => void): Promise<Unsubscribe>;
  /** Takes that page; null if none waits. */
  placeTake(): Promise<Place | null>;
  /** Null for a host that shows none. */
  readonly notifications: Notifications | null;
}
