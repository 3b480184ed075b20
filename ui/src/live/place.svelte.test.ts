import { describe, expect, it, vi } from 'vitest';
import type { Host, Place } from '$host/host';
import { place, startPlaces } from './place.svelte';
import { connect } from './wire';

function host(pages: (Place | null)[]) {
  const heard: (() => void)[] = [];
  const connectionOpen = vi.fn(() => Promise.resolve({}));
  connect(
    {
      onPlace: (listener: () => void) => {
        heard.push(listener);
        return Promise.resolve(() => undefined);
      },
      placeTake: () => Promise.resolve(pages.shift() ?? null),
      connectionOpen,
    } as unknown as Host,
    () => 0,
  );
  return { connectionOpen, send: () => heard.forEach((hear) => hear()) };
}

describe('a page opened from outside', () => {
  it('is shown at once when it belongs to the open connection, also one from before the start', async () => {
    const { send } = host([
      { route: '#/alerts/1', connection: null },
      { route: '#/alerts/2', connection: null },
    ]);
    await startPlaces();
    expect(location.hash).toBe('#/alerts/1');
    send();
    await vi.waitFor(() => expect(location.hash).toBe('#/alerts/2'));
    expect(place.waiting).toBeNull();
  });

  it('waits for an answer when another connection has to be opened for it', async () => {
    location.hash = '#/overview';
    const { connectionOpen } = host([{ route: '#/alerts/3', connection: 'live' }]);
    await startPlaces();
    expect(place.waiting?.connection).toBe('live');
    expect([location.hash, connectionOpen.mock.calls.length]).toEqual(['#/overview', 0]);
    await place.follow();
    expect(connectionOpen).toHaveBeenCalledWith('live');
    expect(location.hash).toBe('#/alerts/3');
    expect(place.waiting).toBeNull();
  });
});
