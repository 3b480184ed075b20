/** The four states of each screen: first load, empty, error, stale. */
import { expect, type Page } from '@playwright/test';
import type { Freshness, Health } from '../../../ui/src/host/bindings.gen';
import { open, screens } from './screens';
import { alter, asked, hold, refuse, test } from './world';

const showsData = screens.filter((screen) => screen.name !== 'settings');

/** Commands that the frame around the screens calls; without their answers there are no screens. */
const ofFrame = /\/ask\/(app_state|health_get|focus_set)$/;

const denied = {
  kind: 'denied',
  message: 'The caller may not perform gamelift:ListFleets in eu-west-1.',
  resource: 'arn:aws:gamelift:eu-west-1:111122223333:fleet/*',
  awsCode: 'AccessDeniedException',
  requestId: '0c9b0a4e-7f1d-4a55-b1c6-9d6f0f3a2e77',
  remedy: 'Add gamelift:ListFleets to the role of profile arena-prod, then retry.',
};

/** Returns the answer with every list in it empty. */
const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === 'total' ? 0 : emptied(part)]),
  );
};

/** Alters the collector's health report, and lets no newer one through. */
const report = async (page: Page, change: (health: Health) => Health) => {
  await page.route('**/hints', () => undefined);
  await alter(page, 'health_get', change);
};

test('each screen says what failed, with the AWS code, the request id, what to do and a way to retry', async ({
  page,
  world,
}) => {
  await refuse(page, '*', denied);
  await page.route(ofFrame, (route) => route.continue());
  for (const screen of showsData) {
    await test.step(screen.name, async () => {
      // A different query makes a new document.
      await open(page, world, `?${showsData.indexOf(screen)}${screen.address}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
      const alert = page.getByRole('alert').first();
      await expect(alert).toContainText('gamelift:ListFleets');
      await expect(alert).toContainText('AccessDeniedException');
      await expect(alert).toContainText('0c9b0a4e');
      await expect(alert).toContainText('then retry');
      await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
    });
  }
});

test('a screen that waits for its first answer shows its skeleton, not emptiness', async ({
  page,
  world,
}) => {
  await hold(page, 'fleet_list');
  await open(page, world, '#/fleets');
  await expect(page.getByLabel(/Loading/).first()).toBeVisible();
  await expect(page.getByText('No fleet')).toHaveCount(0);
});

test('each screen without data says what would be here', async ({ page, world }) => {
  await page.route(asked('*'), async (route) => {
    const response = await route.fetch();
    const isJson = response.headers()['content-type'] === 'application/json';
    if (!isJson || ofFrame.test(route.request().url())) return route.fulfill({ response });
    return route.fulfill({ response, body: JSON.stringify(emptied(await response.json())) });
  });
  // Series come as bytes, which are not emptied here.
  for (const screen of showsData.filter((one) => !/players|over time/.test(one.name))) {
    await test.step(screen.name, async () => {
      // A different query makes a new document.
      await open(page, world, `?${showsData.indexOf(screen)}${screen.address}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
      await expect(page.locator('main strong, main .empty').first()).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
  }
});

test('stale data stays on the screen with its age, and the health chip says why', async ({ page, world }) => {
  await report(page, (health) => ({ ...health, state: 'unreachable', behindMs: 840_000 }));
  await alter(page, 'fleet_list', (list: { freshness: Freshness }) => ({
    ...list,
    freshness: { asOf: (list.freshness.asOf ?? 0) - 840_000, stale: true },
  }));
  await open(page, world, '#/fleets');
  await expect(page.locator('[role=row]')).not.toHaveCount(1);
  await expect(page.getByText(/stale/).first()).toBeVisible();
  await expect(page.locator('header').getByText(/unreachable/i)).toBeVisible();
});

test('a task of the collector that is not running is named with its reason and its next try', async ({
  page,
  world,
}) => {
  await report(page, (health) => ({
    ...health,
    down: [{
      task: 'The collection of eu-west-1', since: health.now - 9_000, why: 'it failed: a test says so',
      nextTry: health.now + 4_000,
    }],
  })); // prettier-ignore
  await open(page, world, '#/overview');
  await page
    .getByLabel(/^Collector health/)
    .first()
    .click();
  const told = page.getByRole('status').filter({ hasText: 'The collection of eu-west-1 is not running' });
  await expect(told).toContainText('it failed: a test says so');
  await expect(told).toContainText('next try');
});
