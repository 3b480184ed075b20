/** Zoom by key and by setting, kept after a restart; at 200 % a form still leads to its invalid fields. */
import { expect, type Page } from '@playwright/test';
import { open } from './screens';
import { test } from './world';

const drawn = (page: Page) => page.evaluate(() => document.documentElement.style.zoom);

test('everything grows and shrinks by key and by setting, and is as large the next time', async ({
  page,
  world,
}) => {
  await open(page, world, '#/fleets');
  await page.keyboard.press('Control+Equal');
  await expect.poll(() => drawn(page)).toBe('1.25');
  await page.keyboard.press('Control+Minus');
  await page.keyboard.press('Control+Minus');
  await expect.poll(() => drawn(page)).toBe('0.9');
  await page.keyboard.press('Control+0');
  await expect.poll(() => drawn(page)).toBe('1');
  await page.goto(`${world.origin}/#/settings`);
  await page.getByText('150 %', { exact: true }).click();
  await expect.poll(() => drawn(page)).toBe('1.5');
  await page.reload();
  await expect.poll(() => drawn(page)).toBe('1.5');
});

test.describe('enlarged twofold', () => {
  test.use({ viewport: { width: 720, height: 450 } });
  test('a form that lacks something leads to the field, in sight', async ({ page, world }) => {
    await open(page, world, '#/sessions/new');
    await page.getByLabel('Player slots').fill('4');
    await page.getByRole('button', { name: 'Review…' }).click();
    await expect(page.locator('main :focus')).toBeInViewport();
  });
});
