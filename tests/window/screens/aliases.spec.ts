/** Aliases: compare and repoint, watch, undo at any later time, create, edit, delete. */
import { expect, test, type Page } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';

const alias = (page: Page) => page.getByRole('complementary', { name: 'Alias arena-live' });

async function openLive(page: Page, fake = 'operator'): Promise<void> {
  await open(page, '#/aliases?q=arena-live', fake);
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 30, y: 12 } });
  await expect(alias(page)).toBeVisible();
}

/** Repoints arena-live to arena-casual on the production connection. */
async function repoint(page: Page): Promise<void> {
  await alias(page).getByRole('button', { name: 'Repoint…' }).click();
  const form = dialog(page, 'Repoint alias arena-live');
  await form.getByRole('combobox', { name: 'New fleet' }).fill('casual');
  await expect(form.getByRole('option', { name: /arena-casual/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(form.getByRole('table', { name: /arena-ranked-eu and arena-casual side by side/ })).toContainText('build 1.41.3');
  await form.getByRole('button', { name: 'Review the repoint…' }).click();
  const review = dialog(page, 'Repoint alias arena-live');
  await expect(review.getByRole('button', { name: 'Repoint alias' })).toBeDisabled();
  await review.getByLabel(/To confirm, type/).fill('arena-live');
  await review.getByRole('button', { name: 'Repoint alias' }).click();
}

test('a repoint is compared, typed, sent and then watched', async ({ page }) => {
  await openLive(page);
  await repoint(page);
  const watch = page.getByRole('region', { name: 'Since the repoint' });
  await expect(watch).toContainText('New on arena-casual');
  await expect(watch).toContainText('Left on arena-ranked-eu');
  await expect(watch.getByRole('timer')).toContainText('may arrive for');
  await expect(page).toHaveURL(/watch=/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(alias(page)).toContainText('Leads to arena-casual');
});

test('the former routing comes back from the history', async ({ page }) => {
  await openLive(page);
  await repoint(page);
  await page.getByRole('button', { name: 'Hide' }).click();
  await alias(page).getByRole('button', { name: 'Undo: Repoint alias arena-live' }).click();
  const undo = dialog(page);
  await expect(undo).toContainText('arena-ranked-eu (SIMPLE)');
  await undo.getByLabel(/To confirm, type/).fill('arena-live');
  await undo.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(undo).toContainText('GameLift accepted it');
  await undo.getByRole('button', { name: 'Close' }).last().click();
  await expect(alias(page)).toContainText('Leads to arena-ranked-eu');
  await expect(alias(page)).toContainText('undone since');
});

test('what somebody else repointed is returned with the former fleet chosen and compared', async ({ page }) => {
  await openLive(page);
  await alias(page).getByRole('button', { name: 'Return to arena-casual' }).click();
  const form = dialog(page, 'Repoint alias arena-live');
  await expect(form.getByRole('combobox', { name: 'New fleet' })).toBeFocused();
  await expect(form.getByRole('table', { name: /arena-ranked-eu and arena-casual side by side/ })).toContainText('build 1.41.3');
  await expect(form.getByRole('button', { name: 'Review the repoint…' })).toBeEnabled();
});

test('the whole record of an alias is in Activity, and the filter can be taken away', async ({ page }) => {
  await openLive(page);
  await repoint(page);
  await expect(page.getByRole('region', { name: 'Since the repoint' })).toBeVisible();
  await alias(page).getByRole('link', { name: 'All in Activity' }).click();
  const grid = page.getByRole('grid', { name: 'Activity' });
  await expect(grid).toContainText('Repoint alias arena-live');
  await expect(grid).toHaveAttribute('aria-rowcount', '2');
  await page.getByRole('button', { name: /^Only alias-/ }).click();
  await expect(grid).not.toHaveAttribute('aria-rowcount', '2');
});

test('Back in the review returns to the form as it was left', async ({ page }) => {
  await openLive(page);
  await alias(page).getByRole('button', { name: 'Repoint…' }).click();
  await page.getByRole('radio', { name: 'Nowhere, with a message' }).check({ force: true });
  await page.getByLabel('Message to players').fill('Season 4 is over.');
  await page.getByRole('button', { name: 'Review the repoint…' }).click();
  await expect(dialog(page)).toContainText('TERMINAL: Season 4 is over.');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Message to players')).toHaveValue('Season 4 is over.');
});

test('read-only, the review offers to unlock and sends nothing', async ({ page }) => {
  await openLive(page, 'still');
  await alias(page).getByRole('button', { name: 'Delete…' }).click();
  const review = dialog(page, 'Delete alias arena-live');
  await expect(review.getByRole('button', { name: /Unlock/ })).toBeVisible();
  await expect(review.getByRole('button', { name: 'Delete alias' })).toHaveCount(0);
});

test('an alias is created by keyboard, its fleet chosen by name', async ({ page }) => {
  await open(page, '#/aliases?do=create', 'operator,demo');
  const form = dialog(page, 'Create an alias');
  await expect(form.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('tournament');
  await expect(form.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await form.getByRole('combobox', { name: 'Fleet' }).fill('canary');
  await expect(form.getByRole('option', { name: /arena-canary/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Review…' }).click();
  await dialog(page).getByRole('button', { name: 'Create alias' }).click();
  await expect(dialog(page)).toContainText('GameLift accepted it');
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('grid', { name: 'Aliases' })).toContainText('tournament');
});

test('what can be done with an alias has keys and stands in the palette', async ({ page }) => {
  await openLive(page);
  await page.keyboard.press('v');
  await expect(dialog(page, 'Repoint alias arena-live')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Fleet, session id, player id, IP:port, or a command').fill('delete alias');
  await expect(page.getByRole('option', { name: /Delete alias arena-live/ })).toHaveAttribute('data-selected', '');
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Delete alias arena-live')).toBeVisible();
});

test('a description can be changed, not taken away', async ({ page }) => {
  await openLive(page);
  await alias(page).getByRole('button', { name: 'Edit…' }).click();
  const form = dialog(page, 'Edit alias arena-live');
  await form.getByLabel('Description').fill('');
  await expect(form).toContainText('GameLift can change a description but not take it away.');
  await expect(form.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await form.getByLabel('Description').fill('Ranked players');
  await expect(form.getByRole('button', { name: 'Review…' })).toBeEnabled();
});

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });
    test('comparison and watch are accessible', async ({ page }) => {
      await openLive(page);
      await alias(page).getByRole('button', { name: 'Repoint…' }).click();
      await page.getByRole('option', { name: /arena-casual/ }).click();
      await expect(page.getByRole('table')).toBeVisible();
      await judge(page);
      await page.keyboard.press('Escape');
      await repoint(page);
      await expect(page.getByRole('region', { name: 'Since the repoint' })).toContainText('Stragglers');
      await judge(page);
    });
  });
}
