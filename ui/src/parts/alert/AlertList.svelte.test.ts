import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alert, Knowledge } from '$live/types';
import AlertList from './AlertList.svelte';

const knowledge: Knowledge = { regions: [], blindSince: null, judgedAt: 0, isComplete: true };
const alert = (id: string, severity: Alert['severity'] = 'warning'): Alert => ({
  id, rule: 'crashes', subject: id, region: null, fleetId: null, severity, state: 'firing', since: 0, firedAt: 0,
  clearSince: null, unknownSince: null, endedAt: null, acknowledged: null, silenced: null, facts: null,
  title: `alert ${id}`, detail: '', causes: [], unexplained: 'No cause was found.', offered: null, who: null,
}); // prettier-ignore

let alerts = $state.raw<Alert[]>([]);
let component: ReturnType<typeof mount> | null = null;

const come = (...next: Alert[]) => {
  alerts = next;
  flushSync();
};
const list = () => document.querySelector('.list') as HTMLElement;
/** The cards from top to bottom; those with causes and figures in capitals. */
const cards = () =>
  [...document.querySelectorAll('article')]
    .map((card) => {
      const id = card.getAttribute('aria-label')?.replace('alert ', '') ?? '';
      return card.querySelector('.body') ? id.toUpperCase() : id;
    })
    .join(' ');
const point = (kind: 'pointerenter' | 'pointerleave') => {
  list().dispatchEvent(new PointerEvent(kind));
  flushSync();
};
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
const press = (key: string) => {
  (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
  );
  flushSync();
};
const focused = () => document.activeElement?.textContent ?? '';

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', class { observe() {} unobserve() {} disconnect() {} }); // prettier-ignore
  alerts = [alert('a'), alert('b')];
  component = mount(AlertList, {
    target: document.body,
    props: {
      get alerts() {
        return alerts;
      },
      seen: [],
      knowledge,
      full: 1,
    },
  });
  flushSync();
});
afterEach(() => {
  if (component) void unmount(component);
  vi.unstubAllGlobals();
});

describe('alerts that nobody points at', () => {
  it('stand in the order they began, what is bad above the others and with all it has', () => {
    expect(cards()).toBe('A b');
    come(alert('a'), alert('b'), alert('x', 'bad'));
    expect(cards()).toBe('X a b');
  });

  it('are lifted once: one that is no longer bad stays where it is', () => {
    come(alert('a'), alert('b', 'bad'));
    expect(cards()).toBe('B a');
    come(alert('a'), alert('b'));
    expect(cards()).toBe('B a');
    come(alert('a', 'bad'), alert('b'));
    expect(cards()).toBe('B a');
  });

  it('are not there when nothing fires, and the list says so', () => {
    come();
    expect(document.body.textContent).toContain('Nothing needs attention.');
  });
});

describe('alerts under the pointer', () => {
  it('keep their places and their form, and what comes is below them and announced', async () => {
    point('pointerenter');
    come(alert('x', 'bad'), alert('b', 'bad'), alert('a'));
    expect(cards()).toBe('A b x');
    expect(document.querySelector('[role=status]')?.textContent).toContain('1 new alert at the end');
    point('pointerleave');
    await frame();
    flushSync();
    expect(cards()).toBe('X b a');
    expect(document.querySelector('[role=status]')?.textContent.trim()).toBe('');
  });

  it('that are over stay in their place, say so, and can no longer be acknowledged', async () => {
    point('pointerenter');
    come(alert('b'));
    expect(cards()).toBe('A b');
    const [gone, other] = document.querySelectorAll('article');
    expect(gone?.textContent).toContain('over');
    expect(gone?.querySelector('[aria-label^=Acknowledge]')).toBeNull();
    expect(other?.querySelector('[aria-label^=Acknowledge]')).not.toBeNull();
    point('pointerleave');
    await frame();
    flushSync();
    expect(cards()).toBe('B');
  });

  it('are put in order when a person asks for it', () => {
    point('pointerenter');
    come(alert('x', 'bad'), alert('a'), alert('b'));
    const show = [...document.querySelectorAll('button')].find((one) =>
      one.textContent.includes('Show in order'),
    );
    show?.click();
    flushSync();
    expect(cards()).toBe('X a b');
    come(alert('y', 'bad'), alert('x', 'bad'), alert('a'), alert('b'));
    expect(cards()).toBe('X a b y');
  });
});

describe('j and k', () => {
  it('go from one alert to the next and back, and hold the list', async () => {
    press('j');
    expect(focused()).toBe('alert a');
    press('j');
    expect(focused()).toBe('alert b');
    press('j');
    expect(focused()).toBe('alert b');
    await frame();
    come(alert('x', 'bad'), alert('a'), alert('b'));
    expect(cards()).toBe('A b x');
    expect(focused()).toBe('alert b');
    press('k');
    expect(focused()).toBe('alert a');
  });

  it('begin at the end with k, and from within a card at that card', () => {
    press('k');
    expect(focused()).toBe('alert b');
    document.querySelector<HTMLElement>('article [aria-label^=Acknowledge]')?.focus();
    press('j');
    expect(focused()).toBe('alert b');
  });

  it('are left to a field', () => {
    const field = document.body.appendChild(document.createElement('input'));
    field.focus();
    press('j');
    expect(document.activeElement).toBe(field);
    field.remove();
  });
});
