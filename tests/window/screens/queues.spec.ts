/** Queues and single placements: order by keyboard, latency policies, review; the story of a placement and its end. */
import { expect, test } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';

test('a queue opens from the list, and Escape returns to the list', async ({ page }) => {
  await open(page, '#/placements/queues');
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('arena-eu');
  await expect(page.getByRole('list', { name: 'Destinations in order' })).toContainText('arena-ranked-eu');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queues');
});

test('destinations are reordered, removed and added by keyboard, then reviewed and sent', async ({ page }) => {
  await open(page, '#/placements/queues/eu-west-1/arena-eu', 'operator');
  await page.getByRole('button', { name: 'Edit…' }).click();
  const list = page.getByRole('list', { name: 'Destinations in order' });
  const review = page.getByRole('button', { name: 'Review the change…' });
  await expect(review).toBeDisabled();
  await list.getByRole('button', { name: /arena-spot-eu, 3 of 3/ }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(list.getByRole('button', { name: /arena-spot-eu, 2 of 3/ })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(list.locator('li').first()).toContainText('arena-spot-eu');
  await list.getByRole('button', { name: /arena-casual, 3 of 3/ }).press('Delete');
  await expect(list.locator('li')).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Add a destination' }).fill('canary');
  await expect(page.getByRole('option', { name: /arena-canary/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(list.locator('li')).toHaveCount(3);
  await review.click();
  const asked = dialog(page, 'Edit queue arena-eu');
  await expect(asked).toContainText('arena-spot-eu, arena-ranked-eu');
  await asked.getByLabel(/To confirm, type/).fill('arena-prod');
  await asked.getByRole('button', { name: 'Update queue' }).click();
  await expect(asked).toContainText('GameLift accepted it');
  await asked.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('button', { name: 'Edit…' })).toBeVisible();
  await expect(list.locator('li').first()).toContainText('arena-spot-eu');
});

test('a queue leads to a new game session through it', async ({ page }) => {
  await open(page, '#/placements/queues/eu-west-1/arena-eu', 'operator');
  await page.getByRole('link', { name: 'Start a placement…' }).click();
  await expect(page.getByLabel('Queue', { exact: true }).last()).toHaveValue('eu-west-1/arena-eu');
});

test('what the service would refuse is said at the field', async ({ page }) => {
  await open(page, '#/placements/queues/eu-west-1/arena-eu', 'operator');
  await page.getByRole('button', { name: 'Edit…' }).click();
  const timeout = page.getByLabel('Seconds until a placement times out');
  await timeout.fill('601');
  await expect(page.getByText('From 10 to 600; this is 601.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Review the change…' })).toBeDisabled();
  await timeout.fill('30');
  await page.getByRole('button', { name: 'Add a policy' }).click();
  await expect(page.getByText('so the policies after it never apply')).toBeVisible();
  await expect(page.getByText('A policy has a limit in milliseconds.')).toBeVisible();
});

test('a placement opens from the stream with its story and the latencies of its players', async ({ page }) => {
  await open(page, '#/placements');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Placement');
  await expect(page.getByText('PlacementFulfilled').first()).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Players' })).toContainText(' ms');
  await expect(page.getByRole('link', { name: 'Open the game session' })).toBeVisible();
});

test('a pending placement can be stopped, an ended one cannot', async ({ page }) => {
  await open(page, '#/placements/waiting-placement', 'operator');
  await page.getByRole('button', { name: 'Stop placement…' }).click();
  const review = dialog(page);
  await review.getByLabel(/To confirm, type/).fill('arena-prod');
  await review.getByRole('button', { name: 'Stop placement' }).click();
  await expect(review).toContainText('GameLift accepted it');
  await review.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('cancelled', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop placement…' })).toHaveCount(0);
});

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });
    test('a queue, its editor and a placement are accessible', async ({ page }) => {
      await open(page, '#/placements/queues/eu-west-1/coop');
      await expect(page.getByText('coop-live')).toBeVisible();
      await judge(page);
      await page.getByRole('button', { name: 'Edit…' }).click();
      await expect(page.getByRole('combobox', { name: 'Add a destination' })).toBeVisible();
      await judge(page);
      await open(page, '#/placements/waiting-placement');
      await expect(page.getByRole('button', { name: 'Stop placement…' })).toBeVisible();
      await judge(page);
    });
  });
}
