/** The four states of each screen: first load, empty, error, stale. */
import { expect, test } from '@playwright/test';
import { open, screens } from './screens';

const showsData = screens.filter((screen) => screen.name !== 'settings');

for (const screen of showsData) {
  test(`${screen.name} says what failed, with the AWS code, the request id, what to do and a way to retry`, async ({ page }) => {
    await open(page, screen.address, 'still,error');
    const alert = page.getByRole('alert').first();
    await expect(alert).toContainText('gamelift:ListFleets');
    await expect(alert).toContainText('AccessDeniedException');
    await expect(alert).toContainText('0c9b0a4e');
    await expect(alert).toContainText('then retry');
    await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
  });
}

test('a screen that waits for its first answer shows its skeleton, not emptiness', async ({ page }) => {
  await open(page, '#/fleets', 'still,loading');
  await expect(page.getByLabel(/Loading/).first()).toBeVisible();
  await expect(page.getByText('No fleet')).toHaveCount(0);
});

for (const screen of showsData.filter((one) => one.name !== 'players')) {
  test(`${screen.name} without data says what would be here`, async ({ page }) => {
    await open(page, screen.address, 'still,empty');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
    await expect(page.locator('main strong, main .empty').first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('stale data stays on the screen with its age, and the health chip says why', async ({ page }) => {
  await open(page, '#/fleets', 'still,stale');
  await expect(page.locator('[role=row]')).not.toHaveCount(1);
  await expect(page.getByText(/stale/).first()).toBeVisible();
  await expect(page.locator('header').getByText(/unreachable/i)).toBeVisible();
});

test('trouble of the collector opens the report of the collector', async ({ page }) => {
  await open(page, '#/overview', 'still,throttled');
  await page.getByRole('button', { name: /^Open: Game sessions of eu-west-1/ }).click();
  await expect(page.getByLabel(/^Collector health/).last()).toContainText('Event queue');
});

test('a task of the collector that is not running is named with its reason and its next try', async ({ page }) => {
  await open(page, '#/overview', 'still,down');
  await page.getByLabel(/^Collector health/).first().click();
  const report = page.getByRole('status').filter({ hasText: 'The collection of eu-west-1 is not running' });
  await expect(report).toContainText('it failed: a test says so');
  await expect(report).toContainText('again at');
});
