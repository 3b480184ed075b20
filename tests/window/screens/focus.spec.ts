/**
 * Keyboard focus: in the first field of a dialog, then back where it was opened. Escape loses nothing typed.
 */
import { expect } from '@playwright/test';
import { dialog, open } from './screens';
import { test } from './world';

test('a dialog begins at its first field and gives the focus back', async ({ page, world }) => {
  await open(page, world, '#/fleets');
  await page
    .locator('[role=row]', { hasText: 'arena-prod-us' })
    .first()
    .click({ position: { x: 60, y: 12 } });
  const capacity = page.getByRole('button', { name: 'Capacity…' });
  await capacity.click();
  await expect(dialog(page).getByRole('textbox').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(capacity).toBeFocused();

  const more = page.getByRole('button', { name: 'More actions on this fleet' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Suspend or resume scaling…' }).click();
  await expect(dialog(page).getByRole('checkbox').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
});

test('Escape leaves the editor of a queue before the queue, and never with changes in it', async ({
  page,
  world,
}) => {
  await open(page, world, '#/placements/queues/eu-west-1/arena-eu');
  const edit = page.getByRole('button', { name: 'Edit…' });
  const timeout = page.getByRole('textbox', { name: /Seconds until/ });
  await edit.click();
  await expect(page.getByRole('button', { name: /arena-live-eu.*1 of 2/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(timeout).toHaveCount(0);
  await expect(edit).toBeFocused();

  await edit.click();
  await timeout.fill('45');
  await page.getByRole('button', { name: /arena-live-eu.*1 of 2/ }).focus();
  await page.keyboard.press('Escape');
  await expect(timeout).toHaveValue('45');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queues');
});

test('a form that cannot be reviewed leads to the field that is wrong', async ({ page, world }) => {
  await open(page, world, '#/sessions/new?queue=eu-west-1%2Farena-eu');
  await page.getByRole('button', { name: 'Add a player' }).click();
  await page.getByRole('button', { name: 'Review…' }).click();
  await expect(page.getByRole('textbox', { name: 'Id of player 1' })).toBeFocused();
});
