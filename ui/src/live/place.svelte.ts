/**
 * Owns being sent to a page from outside: by a notification, the tray, a link. A page of the open connection is
 * shown at once; one of another connection waits until a person agrees, because what is open is closed for it.
 */
import type { Place } from '$host/host';
import { go } from './address.svelte';
import { program } from './program.svelte';
import { wire } from './wire';

let waiting = $state.raw<Place | null>(null);

async function take(): Promise<void> {
  const place = await wire().placeTake();
  if (place === null) return;
  if (place.connection === null) {
    waiting = null;
    go(place.route);
  } else waiting = place;
}

export const place = {
  /** The page of another connection that waits for an answer. */
  get waiting(): Place | null {
    return waiting;
  },
  leave(): void {
    waiting = null;
  },
  /** Opens the other connection and shows the page. */
  async follow(): Promise<void> {
    if (waiting?.connection == null) return;
    const { connection, route } = waiting;
    waiting = null;
    await program.open(connection);
    go(route);
  },
};

/** Shows what was asked for before the start, and from then on. Returns a function that stops. */
export async function startPlaces(): Promise<() => void> {
  const stop = await wire().onPlace(() => void take());
  await take();
  return stop;
}
