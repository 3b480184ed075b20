import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Host } from '$host/host';
import { connect } from './wire';
import { startZoom, zoom } from './zoom.svelte';

const zoomSet = vi.fn((_factor: number) => Promise.resolve());

describe('the size everything is drawn at', () => {
  beforeEach(async () => {
    localStorage.clear();
    connect({ zoomSet } as unknown as Host, () => 0);
    await zoom.set(100);
    zoomSet.mockClear();
  });

  it('goes up and down by steps and stays at the last one', async () => {
    for (let at = 0; at < 5; at++) await zoom.step(1);
    expect(zoom.percent).toBe(200);
    expect(zoomSet.mock.calls.map(([factor]) => factor)).toEqual([1.25, 1.5, 2, 2, 2]);
    await zoom.step(-1);
    expect(zoom.percent).toBe(150);
  });

  it('is what it was the last time, if that is a step', async () => {
    localStorage.setItem('liftdeck.zoom', '17');
    await startZoom();
    expect(zoomSet).not.toHaveBeenCalled();
    localStorage.setItem('liftdeck.zoom', '150');
    await startZoom();
    expect(zoomSet).toHaveBeenCalledWith(1.5);
  });

  it('stays when the web view refuses', async () => {
    zoomSet.mockRejectedValueOnce('not allowed');
    await expect(zoom.set(200)).rejects.toBe('not allowed');
    expect(zoom.percent).toBe(100);
    expect(localStorage.getItem('liftdeck.zoom')).toBe('100');
  });
});
