/** Builds and scripts: who runs what, and a new version from a zip that was looked into first. */
import { expect, test } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';

test('a build names the fleets that run it', async ({ page }) => {
  await open(page, '#/builds?q=1.42.0');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  const detail = page.getByRole('complementary', { name: 'arena-server' });
  await expect(detail.getByRole('region', { name: 'Fleets that run it' }).getByRole('link')).not.toHaveCount(0);
});

test('a zip without its entry file is not sent', async ({ page }) => {
  await open(page, '#/builds/scripts', 'operator,badzip');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await page.getByRole('button', { name: 'Upload a new version…' }).click();
  const form = dialog(page);
  await form.getByRole('button', { name: 'Choose a zip…' }).click();
  await expect(form).toContainText('not at the root of the zip');
  await expect(form.getByRole('button', { name: 'Review the upload…' })).toBeDisabled();
});

test('a sound zip becomes the next version, and sessions of the older one are still counted', async ({ page }) => {
  await open(page, '#/builds/scripts', 'operator');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await page.getByRole('button', { name: 'Upload a new version…' }).click();
  const form = dialog(page, 'Upload a new version of coop-script');
  await form.getByRole('button', { name: 'Choose a zip…' }).click();
  await expect(form).toContainText('Entry file main.js is there');
  await expect(form.getByLabel('Version')).toHaveValue('v42');
  await form.getByRole('button', { name: 'Review the upload…' }).click();
  const review = dialog(page);
  await review.getByLabel(/To confirm, type/).fill('arena-prod');
  await review.getByRole('button', { name: 'Update script' }).click();
  await expect(review).toContainText('GameLift accepted it');
  await review.getByRole('button', { name: 'Close' }).last().click();
  const detail = page.getByRole('complementary', { name: 'coop-script' });
  await expect(detail).toContainText('on v42');
  await expect(detail).toContainText('460');
});

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });
    test('a script and its upload are accessible', async ({ page }) => {
      await open(page, '#/builds/scripts');
      await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
      await expect(page.getByText('Running game sessions')).toBeVisible();
      await judge(page);
      await page.getByRole('button', { name: 'Upload a new version…' }).click();
      await page.getByRole('button', { name: 'Choose a zip…' }).click();
      await expect(page.getByRole('region', { name: 'The chosen zip' })).toBeVisible();
      await judge(page);
    });
  });
}
