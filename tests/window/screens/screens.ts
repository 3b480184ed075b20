/** Owns the list of screens that the tests visit, how a test opens one, and when one has settled. */
import { expect, type Page } from '@playwright/test';
import type { World } from './world';

/** Address, and the heading that shows the screen is there. */
export const screens: readonly { name: string; address: string; heading: RegExp }[] = [
  { name: 'overview', address: '#/overview', heading: /Overview/ },
  { name: 'fleets', address: '#/fleets', heading: /Fleets/ },
  { name: 'sessions', address: '#/sessions', heading: /Sessions/ },
  { name: 'ask GameLift', address: '#/sessions?ask=%20', heading: /Sessions/ },
  { name: 'players', address: '#/players?q=p-', heading: /Players/ },
  { name: 'placements', address: '#/placements', heading: /Placements/ },
  { name: 'queues', address: '#/placements/queues', heading: /Queues/ },
  { name: 'placements over time', address: '#/placements/time', heading: /Placements/ },
  { name: 'matchmaking', address: '#/matchmaking', heading: /Matchmaking/ },
  { name: 'tickets', address: '#/matchmaking/tickets', heading: /Tickets/ },
  { name: 'matchmaking over time', address: '#/matchmaking/time', heading: /Matchmaking/ },
  { name: 'matchmaking events', address: '#/matchmaking/events', heading: /Matchmaking events/ },
  { name: 'aliases', address: '#/aliases', heading: /Aliases/ },
  { name: 'builds', address: '#/builds', heading: /Builds & scripts/ },
  { name: 'scripts', address: '#/builds/scripts', heading: /Builds & scripts/ },
  { name: 'alerts', address: '#/alerts', heading: /Alerts/ },
  { name: 'activity', address: '#/activity', heading: /Activity/ },
  { name: 'runs', address: '#/activity/runs', heading: /Runs/ },
  { name: 'settings', address: '#/settings', heading: /Settings/ },
];

export const fleetTabs = [
  'scaling',
  'sessions',
  'instances',
  'locations',
  'events',
  'metrics',
  'configuration',
] as const;

/** Refusals by the program, which the page shows; the browser also logs them to its console. */
const shownByPage = /^Failed to load resource: the server responded with a status of 422/;
const heard = new WeakSet<Page>();

/** Opens an address of a served world, and fails the test on any page error. */
export async function open(page: Page, world: World, address: string): Promise<void> {
  if (!heard.has(page)) {
    heard.add(page);
    page.on('pageerror', (error) => {
      throw error;
    });
    page.on('console', (message) => {
      if (message.type() !== 'error' || shownByPage.test(message.text())) return;
      throw new Error(`The page complains: ${message.text()}`);
    });
  }
  await page.goto(`${world.origin}/${address}`);
  await expect(page.locator('#app > *').first()).toBeVisible();
  await expect(starting(page)).toHaveCount(0);
}

/** Shown until the program has sent its state; shortcut keys do nothing before that. */
export const starting = (page: Page) => page.getByRole('status', { name: 'Starting' });

/** Returns the open dialog: a closing one stays in the document for a moment while the next one opens. */
export const dialog = (page: Page, name?: string) =>
  page.getByRole('dialog', { name }).and(page.locator('[data-state=open]'));

/**
 * Waits until nothing is loading, fading in or about to be measured again: from then on the page stays as it
 * is.
 */
export async function settled(page: Page): Promise<void> {
  await expect(page.getByLabel(/^Loading/)).toHaveCount(0);
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = () =>
      document
        .getAnimations()
        .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity);
    // One frame to measure in, and one to draw the result.
    await frame();
    await frame();
    await document.fonts.ready;
    for (let still = moving(); still.length > 0; still = moving()) {
      await Promise.allSettled(still.map((one) => one.finished));
    }
    await frame();
  });
}

/** Presses two keys of one shortcut without a pause: the window waits only a second for the second key. */
export async function pressAfter(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

/** Opens a fleet of several locations in the list and returns its address without the tab. */
export async function openFleet(page: Page, world: World): Promise<string> {
  await open(page, world, '#/fleets');
  await page
    .locator('[role=row]', { hasText: 'arena-prod-ap' })
    .first()
    .click({ position: { x: 60, y: 12 } });
  await expect(page).toHaveURL(/#\/fleets\/[a-z]*fleet-/);
  return /#\/fleets\/[^/?]+/.exec(page.url())?.[0] ?? '';
}

/** Opens a tab of a fleet by the fleet's address. The document stays, so the previous tab must be gone. */
export async function openTab(
  page: Page,
  world: World,
  fleet: string,
  tab: (typeof fleetTabs)[number],
): Promise<void> {
  await page.goto(`${world.origin}/${fleet}/${tab}`);
  const link = page.getByRole('navigation', { name: 'Fleet sections' }).locator('[aria-current=page]');
  await expect(link).toHaveAttribute('href', new RegExp(`/${tab}\\b`));
  await settled(page);
}
