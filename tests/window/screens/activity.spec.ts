/** Activity: every attempt, its filters, one in full, unknown outcomes, export, runs with the result of each item. */
import { expect, test } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';

test('filters narrow the record and live in the address', async ({ page }) => {
  await open(page, '#/activity');
  const grid = page.getByRole('grid', { name: 'Activity' });
  await expect(grid).toContainText('Repoint alias arena-live');
  await page.getByRole('button', { name: 'failed', exact: true }).click();
  await expect(grid).not.toContainText('Repoint alias arena-live');
  await expect(page).toHaveURL(/outcomes=failed/);
  await page.getByLabel('Operation').selectOption('CreateGameSession');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
  await expect(page.getByText('1 change', { exact: true })).toBeVisible();
  await page.reload();
  await expect(grid).toContainText('Create a game session on coop-realtime');
  await expect(grid).not.toContainText('Edit queue');
});

test('an attempt that failed says the code, the request id and what to do', async ({ page }) => {
  await open(page, '#/activity?outcomes=failed&operation=UpdateFleetCapacity');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  const detail = page.getByRole('complementary', { name: 'The chosen change' });
  await expect(detail).toContainText('Raise the maximum first.');
  await expect(detail).toContainText('InvalidRequestException');
  await expect(detail.getByRole('table', { name: 'Before and after' })).toContainText('30');
  await expect(detail.getByRole('button', { name: 'Copy Request id' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(detail).toHaveCount(0);
});

test('an unknown outcome is settled by asking GameLift', async ({ page }) => {
  await open(page, '#/placements/waiting-placement', 'operator,unknown');
  await page.getByRole('button', { name: 'Stop placement…' }).click();
  const review = dialog(page);
  await review.getByLabel(/To confirm, type/).fill('arena-prod');
  await review.getByRole('button', { name: 'Stop placement' }).click();
  await expect(review).toContainText('Nobody knows yet');
  await review.getByRole('link', { name: 'Show in Activity' }).click();
  const detail = page.getByRole('complementary', { name: 'The chosen change' });
  await expect(detail).toContainText('outcome unknown');
  await detail.getByRole('button', { name: 'Check now' }).click();
  await expect(detail).toContainText('the change did not arrive');
});

test('what is shown can be exported', async ({ page }) => {
  await open(page, '#/activity');
  await page.getByRole('button', { name: 'Export the changes shown' }).click();
  // It is told for four seconds, so the wait begins before the click.
  await Promise.all([
    expect(page.getByText('/home/ops/activity.ndjson')).toBeVisible(),
    page.getByRole('menuitem', { name: /NDJSON/ }).click(),
  ]);
});

test('a change of ours in a feed leads to its attempt', async ({ page }) => {
  await open(page, '#/placements/queues/eu-west-1/coop', 'operator');
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByLabel('Seconds until a placement times out').fill('90');
  await page.getByRole('button', { name: 'Review the change…' }).click();
  const review = dialog(page);
  await review.getByLabel(/To confirm, type/).fill('arena-prod');
  await review.getByRole('button', { name: 'Update queue' }).click();
  await expect(review).toContainText('GameLift accepted it');
  await review.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('link', { name: 'by you' }).click();
  await expect(page.getByRole('grid', { name: 'Activity' })).toContainText('Edit queue coop');
});

test('a run stands with its progress and the result of each of its changes', async ({ page }) => {
  await open(page, '#/sessions?q=status%3Aactive', 'operator,demo');
  await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('d');
  const review = dialog(page);
  await review.getByRole('button', { name: 'Terminate 2 game sessions' }).click();
  await review.getByRole('link', { name: 'Show in Activity' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Runs');
  await expect(page.getByRole('grid', { name: 'Runs' })).toContainText('Terminate 2 game sessions');
  const changes = page.getByRole('grid', { name: 'Activity' });
  await expect(changes).toHaveAttribute('aria-rowcount', '3');
  await judge(page);
  await changes.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await page.getByRole('complementary', { name: 'The chosen change' }).getByRole('link', { name: /…/ }).first().click();
  await expect(page).toHaveURL(/#\/activity\/runs\//);
});

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });
    test('one attempt in full is accessible', async ({ page }) => {
      await open(page, '#/activity');
      await page.locator('[role=row][aria-rowindex="4"]').click({ position: { x: 40, y: 12 } });
      await expect(page.getByText('The record')).toBeVisible();
      await judge(page);
    });
  });
}
