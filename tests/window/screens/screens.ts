/** Owns the list of screens the tests walk and how a test opens one. */
import { expect, type Page } from '@playwright/test';

/** Address and the words that show it is there. */
export const screens: readonly { name: string; address: string; heading: RegExp }[] = [
  { name: 'overview', address: '#/overview', heading: /Overview/ },
  { name: 'fleets', address: '#/fleets', heading: /Fleets/ },
  { name: 'sessions', address: '#/sessions', heading: /Sessions/ },
  { name: 'ask GameLift', address: '#/sessions?ask=%20', heading: /Sessions/ },
  { name: 'players', address: '#/players?q=player-', heading: /Players/ },
  { name: 'placements', address: '#/placements', heading: /Placements/ },
  { name: 'queues', address: '#/placements/queues', heading: /Queues/ },
  { name: 'matchmaking', address: '#/matchmaking', heading: /Matchmaking/ },
  { name: 'tickets', address: '#/matchmaking/tickets', heading: /Tickets/ },
  { name: 'matchmaking events', address: '#/matchmaking/events', heading: /Matchmaking events/ },
  { name: 'aliases', address: '#/aliases', heading: /Aliases/ },
  { name: 'builds', address: '#/builds', heading: /Builds & scripts/ },
  { name: 'scripts', address: '#/builds/scripts', heading: /Builds & scripts/ },
  { name: 'activity', address: '#/activity', heading: /Activity/ },
  { name: 'runs', address: '#/activity/runs', heading: /Runs/ },
  { name: 'settings', address: '#/settings', heading: /Settings/ },
];

export const fleetTabs = ['scaling', 'sessions', 'instances', 'locations', 'events', 'metrics', 'configuration'] as const;

/** Opens an address on the fake host, with its switches, and fails the test on any complaint of the page. */
export async function open(page: Page, address: string, fake = 'still'): Promise<void> {
  page.on('pageerror', (error) => {
    throw error;
  });
  page.on('console', (message) => {
    if (message.type() === 'error') throw new Error(`The page complains: ${message.text()}`);
  });
  await page.goto(`/?fake=${fake}${address}`);
  await expect(page.locator('#app > *').first()).toBeVisible();
}

/** Opens the first fleet of the list and returns its address without the tab. */
export async function openFleet(page: Page): Promise<string> {
  await open(page, '#/fleets');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 60, y: 12 } });
  await expect(page).toHaveURL(/#\/fleets\/[a-z]*fleet-/);
  return /#\/fleets\/[^/?]+/.exec(page.url())?.[0] ?? '';
}
