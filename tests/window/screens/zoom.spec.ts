/** Everything larger or smaller: by key, by setting, kept; and enlarged twofold every screen still has its room. */
import { expect, test, type Page } from '@playwright/test';
import { open, screens, settled } from './screens';

const drawn = (page: Page) => page.evaluate(() => document.documentElement.style.zoom);

test('everything grows and shrinks by key and by setting, and is as large the next time', async ({ page }) => {
  await open(page, '#/fleets');
  await page.keyboard.press('Control+Equal');
  await expect.poll(() => drawn(page)).toBe('1.25');
  await page.keyboard.press('Control+Minus');
  await page.keyboard.press('Control+Minus');
  await expect.poll(() => drawn(page)).toBe('0.9');
  await page.keyboard.press('Control+0');
  await expect.poll(() => drawn(page)).toBe('1');
  await page.goto('/?fake=still#/settings');
  await page.getByText('150 %', { exact: true }).click();
  await expect.poll(() => drawn(page)).toBe('1.5');
  await page.reload();
  await expect.poll(() => drawn(page)).toBe('1.5');
});

test.describe('enlarged twofold', () => {
  test.use({ viewport: { width: 720, height: 450 } });
  for (const screen of screens) {
    test(`${screen.name} does not spill out`, async ({ page }) => {
      await open(page, screen.address);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
      await settled(page);
      const spill = () =>
        page.evaluate(() => {
          const main = document.querySelector('main');
          return [document.body.scrollWidth - window.innerWidth, main ? main.scrollWidth - main.clientWidth : 0];
        });
      await expect.poll(spill).toEqual([0, 0]);
    });
  }
  test('a form that lacks something leads to the field, in sight', async ({ page }) => {
    await open(page, '#/sessions/new', 'still,operator');
    await page.getByLabel('Player slots').fill('4');
    await page.getByRole('button', { name: 'Review…' }).click();
    await expect(page.locator('main :focus')).toBeInViewport();
  });
});
