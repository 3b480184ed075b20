/** A browser that signs in with a link, and one that cannot. */
import { expect } from '@playwright/test';
import { test } from './world';

test('a link lets one browser in and is worth nothing afterwards', async ({ page, world, browser }) => {
  await page.goto(`${world.origin}/#/overview`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Overview/);
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${world.origin}/#key=${'0'.repeat(64)}`);
  await expect(other.getByRole('alert')).toContainText('This browser was not let in');
  await expect(other.getByRole('alert')).toContainText('liftdeck serve');
  expect(new URL(other.url()).hash).not.toContain('key');
});

test.describe('started to look only', () => {
  test.use({ wanted: { operate: false } });
  test('nothing can be unlocked, and the core refuses what the pages do not offer', async ({
    page,
    world,
  }) => {
    await page.goto(`${world.origin}/#/overview`);
    await page.getByRole('button', { name: 'Read-only' }).click();
    await expect(page.getByRole('dialog')).toContainText('--operate');
    await expect(page.getByRole('dialog').getByRole('button', { name: /Unlock/ })).toHaveCount(0);
    for (const [command, args] of Object.entries({
      guard_unlock: { minutes: 30, typed: 'arena-prod' },
      action_confirm: { previewId: 'x', typed: null },
      connection_delete: { id: 'arena' },
      preset_delete: { name: 'x' },
    })) {
      await expect(world.ask(command, args)).rejects.toThrow('started read-only');
    }
  });
});

test.describe('when the program ends', () => {
  test.use({ own: true });
  test('the page says so, keeps what it shows and never calls it live', async ({ page, world }) => {
    await page.goto(`${world.origin}/#/fleets`);
    const fleet = page.locator('[role=row][aria-rowindex="3"]');
    await expect(fleet).toBeVisible();
    await world.close();
    await expect(page.getByText('Liftdeck does not answer at this address.').first()).toBeVisible();
    await expect(fleet).toBeVisible();
    await expect(page.getByLabel('Collector health: unreachable').first()).toBeVisible();
  });
});
