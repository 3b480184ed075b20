/** Making a game session: three ways, checked while written, followed to ACTIVE or to the reason it failed. */
import { expect, test } from '@playwright/test';
import { judge } from './judge';
import { dialog, open, settled } from './screens';

const form = '#/sessions/new';
const followed = 'still,operator,demo';

test('by queue: checked at the fields, previewed, followed, and ends on the screen of the game session', async ({ page }) => {
  await open(page, form, followed);
  await page.getByRole('button', { name: 'Review…' }).click();
  await expect(page.getByRole('alert')).toContainText('1 field');
  await page.locator('select').first().selectOption({ index: 1 });
  await page.getByLabel('Name (optional)').fill('support-4711');
  await page.getByLabel('Player slots').fill('201');
  await expect(page.getByText('From 1 to 200; this is 201.')).toBeVisible();
  await page.getByLabel('Player slots').fill('4');
  await page.getByRole('button', { name: 'Add a player' }).click();
  await page.getByLabel('Id of player 1').fill('player-1');
  await page.getByLabel(/Latencies of player 1/).fill('soon');
  await expect(page.getByText('Written as: eu-west-1 40, eu-central-1 62.')).toBeVisible();
  await page.getByLabel(/Latencies of player 1/).fill('eu-west-1 40');
  await expect(page.getByLabel('AWS CLI command')).toContainText('aws gamelift start-game-session-placement');
  await page.getByRole('button', { name: 'Review…' }).click();
  await dialog(page).getByRole('button', { name: 'Start placement' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('support-4711');
});

for (const [way, label] of [
  ['Alias', 'Create a game session on arena-live'],
  ['Fleet', 'Create a game session on arena-ranked-eu'],
] as const) {
  test(`by ${way.toLowerCase()}: made directly, and its players get a reservation of their own`, async ({ page }) => {
    await open(page, form, followed);
    await page.locator('label', { hasText: new RegExp(`^${way}$`) }).first().click();
    await page.locator('select').first().selectOption({ index: 1 });
    await page.getByLabel('Name (optional)').fill('direct-1');
    await page.getByRole('button', { name: 'Add a player' }).click();
    await page.getByLabel('Id of player 1').fill('player-1');
    await page.getByRole('button', { name: 'Review…' }).click();
    await expect(dialog(page)).toContainText(label);
    await dialog(page).getByRole('button', { name: 'Create game session' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('direct-1');
    await expect(dialog(page)).toContainText('Reserve a slot in direct-1');
  });
}

test('a refusal stays in the dialog and leads back to the form as it was', async ({ page }) => {
  await open(page, form, `${followed},refused`);
  await page.locator('select').first().selectOption({ index: 1 });
  await page.getByLabel('Name (optional)').fill('support');
  await page.getByRole('button', { name: 'Review…' }).click();
  await dialog(page).getByRole('button', { name: 'Start placement' }).click();
  await expect(dialog(page)).toContainText('ConflictException');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Name (optional)')).toHaveValue('support');
});

test('an unknown outcome is followed until it is settled', async ({ page }) => {
  await open(page, form, `${followed},unknown`);
  await page.locator('select').first().selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Review…' }).click();
  await dialog(page).getByRole('button', { name: 'Start placement' }).click();
  await expect(dialog(page)).toContainText('Nobody knows yet');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Nobody knows yet whether it was made.')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('There is no new game session')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await expect(page.getByRole('button', { name: 'Review…' })).toBeVisible();
});

test('a preset keeps a form and fills it in again', async ({ page }) => {
  await open(page, form);
  await page.getByLabel('Name (optional)').fill('evening');
  await page.getByRole('button', { name: 'Add a property' }).click();
  await page.getByLabel('Key of property 1').fill('mode');
  await page.getByLabel('Value of property 1').fill('ranked');
  await page.getByLabel('Name of the preset').fill('Evening match');
  await page.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Support match', exact: true }).click();
  await expect(page.getByLabel('Name (optional)')).toHaveValue('support');
  await page.getByRole('button', { name: 'Evening match', exact: true }).click();
  await expect(page.getByLabel('Name (optional)')).toHaveValue('evening');
  await expect(page.getByLabel('Value of property 1')).toHaveValue('ranked');
  await page.getByRole('button', { name: 'Forget preset Evening match' }).click();
  await expect(page.getByRole('button', { name: 'Evening match', exact: true })).toHaveCount(0);
});

test('what failed is said when the choices cannot be read', async ({ page }) => {
  await open(page, form, 'still,error');
  await expect(page.getByRole('alert').first()).toContainText('AccessDeniedException');
});

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });
    test('the form is accessible', async ({ page }) => {
      await open(page, form);
      await page.getByRole('button', { name: 'Add a player' }).click();
      await page.getByRole('button', { name: 'Add a property' }).click();
      await page.getByRole('button', { name: 'Review…' }).click();
      await judge(page);
    });
  });
}

test.describe('in the smallest window', () => {
  test.use({ viewport: { width: 1024, height: 700 } });
  test('the form does not spill out', async ({ page }) => {
    await open(page, form);
    await expect(page.getByRole('button', { name: 'Review…' })).toBeVisible();
    await settled(page);
    const spill = await page.evaluate(() => {
      const main = document.querySelector('main');
      return [document.body.scrollWidth - window.innerWidth, main ? main.scrollWidth - main.clientWidth : 0];
    });
    expect(spill).toEqual([0, 0]);
  });
});
