/** Every screen in both themes, judged by axe; and at the smallest window nothing spills out. */
import { expect, test } from '@playwright/test';
import { judge } from './judge';
import { fleetTabs, open, openFleet, openTab, screens, settled } from './screens';

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });
    for (const screen of screens) {
      test(`${screen.name} is accessible`, async ({ page }) => {
        await open(page, screen.address);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
        await judge(page);
      });
    }
    for (const tab of fleetTabs) {
      test(`a fleet's ${tab} is accessible`, async ({ page }) => {
        const fleet = await openFleet(page);
        await openTab(page, fleet, tab);
        await judge(page);
      });
    }
    test('a game session is accessible', async ({ page }) => {
      await open(page, '#/sessions');
      await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
      await expect(page.getByText('Timeline')).toBeVisible();
      await judge(page);
    });
    test('the first run is accessible', async ({ page }) => {
      await open(page, '', 'still,first');
      await judge(page);
    });
  });
}

test.describe('in the smallest window', () => {
  test.use({ viewport: { width: 1024, height: 700 } });
  for (const screen of screens) {
    test(`${screen.name} does not spill out`, async ({ page }) => {
      await open(page, screen.address);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
      await settled(page);
      const spill = await page.evaluate(() => {
        const main = document.querySelector('main');
        return [document.body.scrollWidth - window.innerWidth, main ? main.scrollWidth - main.clientWidth : 0];
      });
      expect(spill).toEqual([0, 0]);
    });
  }
});
