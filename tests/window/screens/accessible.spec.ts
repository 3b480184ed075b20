/**
 * Checks every screen with axe in both themes, and that nothing overflows the smallest window, even at 200 %.
 */
import { expect, type Page } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { fleetTabs, open, openFleet, openTab, screens, settled } from './screens';
import { test } from './world';

/** The smallest window, and what remains of it when everything is drawn twice as large. */
const small = [
  { width: 1024, height: 700 },
  { width: 720, height: 450 },
];

/** How much wider the page is than the window, and the screen than its container, in pixels. */
const spill = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main');
    return [document.body.scrollWidth - window.innerWidth, main ? main.scrollWidth - main.clientWidth : 0];
  });

for (const screen of screens) {
  test(`${screen.name} is accessible in both themes, and does not spill out of a small window`, async ({
    page,
    world,
  }) => {
    await open(page, world, screen.address);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
    await judgeBothThemes(page);
    for (const size of small) {
      await page.setViewportSize(size);
      await settled(page);
      await expect.poll(() => spill(page)).toEqual([0, 0]);
    }
  });
}

for (const tab of fleetTabs) {
  test(`a fleet's ${tab} is accessible in both themes`, async ({ page, world }) => {
    const fleet = await openFleet(page, world);
    await openTab(page, world, fleet, tab);
    await judgeBothThemes(page);
  });
}

test('a game session is accessible in both themes', async ({ page, world }) => {
  await open(page, world, '#/sessions');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await expect(page.getByText('Timeline')).toBeVisible();
  await judgeBothThemes(page);
});

test.describe('without a connection', () => {
  test.use({ wanted: { connected: false } });
  test('the first run is accessible in both themes', async ({ page, world }) => {
    await open(page, world, '');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await judgeBothThemes(page);
  });
});
