/** Builds and scripts: which fleets run them, and a new version from a zip that is inspected first. */
import { expect, type Page } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { test } from './world';
import { zipOf } from './zip';

/** Opens the upload for the script in eu-west-1 and picks a zip that contains this file. */
async function pick(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Upload new version…' }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    dialog(page).getByRole('button', { name: 'Choose a zip…' }).click(),
  ]);
  await chooser.setFiles({ name: 'rules.zip', mimeType: 'application/zip', buffer: zipOf(name, '// rules') });
}

const script = (page: Page) => page.locator('[role=row]', { hasText: 'eu-west-1' }).first();

test('a build names the fleets that run it', async ({ page, world }) => {
  await open(page, world, '#/builds?q=1.42.0');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  const detail = page.getByRole('complementary', { name: 'arena-server' });
  await expect(
    detail.getByRole('region', { name: 'Fleets using this build' }).getByRole('link'),
  ).not.toHaveCount(0);
});

test('a zip without its entry file is not sent', async ({ page, world }) => {
  await open(page, world, '#/builds/scripts');
  await script(page).click({ position: { x: 40, y: 12 } });
  await pick(page, 'src/expedition.js');
  await expect(dialog(page)).toContainText(
    'looks for its script at the top level of the zip; here it is deeper: src/expedition.js',
  );
  await expect(dialog(page).getByRole('button', { name: 'Review upload…' })).toBeDisabled();
});

test.describe('unlocked', () => {
  test.use({ unlocked: true });
  test('a sound zip becomes the next version, and sessions of the older one are still counted', async ({
    page,
    world,
  }) => {
    await open(page, world, '#/builds/scripts');
    await script(page).click({ position: { x: 40, y: 12 } });
    await pick(page, 'expedition.js');
    const form = dialog(page, 'Upload new version of expedition-rules');
    await expect(form).toContainText('Entry file expedition.js found');
    await expect(form.getByLabel('Version')).toHaveValue('1.8.3');
    await form.getByRole('button', { name: 'Review upload…' }).click();
    const review = dialog(page);
    await review.getByLabel(/To confirm, type/).fill('arena-prod');
    await review.getByRole('button', { name: 'Update script' }).click();
    await expect(review).toContainText('GameLift accepted it');
    await review.getByRole('button', { name: 'Close' }).last().click();
    const detail = page.getByRole('complementary', { name: 'expedition-rules' });
    await expect(detail).toContainText('on 1.8.3');
    await expect(detail.getByRole('region', { name: 'Active game sessions' })).toContainText('5');
  });
});

test('a script and its upload are accessible in both themes', async ({ page, world }) => {
  await open(page, world, '#/builds/scripts');
  await script(page).click({ position: { x: 40, y: 12 } });
  await expect(page.getByText('Active game sessions')).toBeVisible();
  await judgeBothThemes(page);
  await pick(page, 'expedition.js');
  await expect(page.getByRole('region', { name: 'Selected zip' })).toBeVisible();
  await judgeBothThemes(page);
});
