/** Owns the shape of the host: whatever carries the questions of the screens to the core, and hints back. */
import type { Calls, Changed, Health } from './bindings.gen';

export type Unsubscribe = () => void;

/** Every call rejects with an `AppError`. A file that a call makes is put where the person says; it resolves with its path. */
export interface Host extends Calls {
  /** At most four a second, under 1 KB: what moved, not the data itself. */
  onChanged(listener: (changed: Changed) => void): Promise<Unsubscribe>;
  /** At most one a second. */
  onHealth(listener: (health: Health) => void): Promise<Unsubscribe>;
  /** Draws everything larger or smaller by a factor, as a browser's zoom does: the layout gets the room that is left. */
  zoomSet(factor: number): Promise<void>;
  /** Asks for a zip; resolves with its path where the core runs, null when the person cancelled. */
  zipPick(): Promise<string | null>;
}
