/**
 * Creating a game session: three ways, checked while typing, followed to ACTIVE or to the reason it failed.
 */
import { expect } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { dialog, open, settled } from './screens';
import { asked, meanwhile, refuse, test } from './world';

const form = '#/sessions/new';

test.describe('unlocked', () => {
  test.use({ wanted: { environment: 'development', name: 'arena-dev' }, unlocked: true });

  test('by queue: checked at the fields, previewed, followed, and ends on the screen of the game session', async ({
    page,
    world,
  }) => {
    await open(page, world, form);
    await page.getByRole('button', { name: 'Review…' }).click();
    await expect(page.getByRole('alert')).toContainText('1 field');
    await page
      .getByRole('combobox', { name: 'Queue' })
      .selectOption({ label: 'arena-ranked-eu · eu-west-1' });
    await page.getByLabel('Name (optional)').fill('support-4711');
    await page.getByLabel('Player slots').fill('201');
    await expect(page.getByText('From 1 to 200, not 201.')).toBeVisible();
    await page.getByLabel('Player slots').fill('4');
    await page.getByRole('button', { name: 'Add a player' }).click();
    await page.getByLabel('Id of player 1').fill('player-1');
    await page.getByLabel(/Latencies of player 1/).fill('soon');
    await expect(page.getByText('Use the form eu-west-1 40, eu-central-1 62.')).toBeVisible();
    await page.getByLabel(/Latencies of player 1/).fill('eu-west-1 40');
    await expect(page.getByLabel('AWS CLI command')).toContainText(
      'aws gamelift start-game-session-placement',
    );
    await page.getByRole('button', { name: 'Review…' }).click();
    await dialog(page).getByRole('button', { name: 'Start placement' }).click();
    await expect(page.getByText('The game session opens here once it is ACTIVE.')).toBeVisible();
    await world.advance(60);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('support-4711');
  });

  for (const [way, name] of [
    ['Alias', 'arena-live-us'],
    ['Fleet', 'arena-prod-us'],
  ] as const) {
    test(`by ${way.toLowerCase()}: made directly, and its players get a reservation of their own`, async ({
      page,
      world,
    }) => {
      await open(page, world, form);
      await page
        .locator('label', { hasText: new RegExp(`^${way}$`) })
        .first()
        .click();
      await page.getByRole('combobox', { name: way }).selectOption({
        label: (await page.getByRole('option', { name: new RegExp(`^${name}`) }).innerText()).trim(),
      });
      await page.getByLabel('Name (optional)').fill('direct-1');
      await page.getByRole('button', { name: 'Add a player' }).click();
      await page.getByLabel('Id of player 1').fill('player-1');
      await page.getByRole('button', { name: 'Review…' }).click();
      await expect(dialog(page)).toContainText(name);
      await dialog(page).getByRole('button', { name: 'Create game session' }).click();
      await expect(page.getByText('The game session opens here once it is ACTIVE.')).toBeVisible();
      await world.advance(60);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('direct-1');
      await expect(dialog(page)).toContainText('Reserve 1 slot in direct-1');
    });
  }

  test('a refusal stays in the dialog and leads back to the form as it was', async ({ page, world }) => {
    await open(page, world, form);
    await page.locator('select').first().selectOption({ index: 1 });
    await page.getByLabel('Name (optional)').fill('support');
    await world.faults({ operation: 'gamelift:StartGameSessionPlacement', kind: 'status', status: 409 });
    await page.getByRole('button', { name: 'Review…' }).click();
    await dialog(page).getByRole('button', { name: 'Start placement' }).click();
    await expect(dialog(page)).toContainText('RequestAbortedException');
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Name (optional)')).toHaveValue('support');
  });

  test('a form sent before its check has answered is reviewed once it has', async ({ page, world }) => {
    await open(page, world, form);
    await page.locator('select').first().selectOption({ index: 1 });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(asked('action_check'), async (route) => {
      await released;
      await route.continue();
    });
    await page.getByLabel('Name (optional)').fill('support');
    await page.getByRole('button', { name: 'Review…' }).click();
    release();
    await expect(dialog(page).getByRole('button', { name: 'Start placement' })).toBeVisible();
  });

  test('an unknown outcome is followed until it is settled', async ({ page, world }) => {
    await open(page, world, form);
    await page
      .getByRole('combobox', { name: 'Queue' })
      .selectOption({ label: 'arena-ranked-eu · eu-west-1' });
    await page.getByLabel('Name (optional)').fill('support');
    await page.getByRole('button', { name: 'Review…' }).click();
    await world.faults({ operation: 'gamelift:StartGameSessionPlacement', kind: 'reset' });
    await dialog(page).getByRole('button', { name: 'Start placement' }).click();
    await expect(dialog(page)).toContainText('Outcome unknown');
    await page.keyboard.press('Escape');
    await expect(page.getByText('Outcome unknown: the game session may or may not exist.')).toBeVisible();
    await world.faults();
    const activity = /activity=([^&]+)/.exec(page.url())?.[1];
    const { resourceId: PlacementId } = await world.ask<{ resourceId: string }>('activity_get', {
      id: activity,
    });
    // It arrives after all, just before Liftdeck checks.
    const late = {
      PlacementId,
      GameSessionQueueName: 'arena-ranked-eu',
      MaximumPlayerSessionCount: 8,
      GameSessionName: 'support',
    };
    await meanwhile(page, 'activity_settle', () => world.aws('eu-west-1', 'StartGameSessionPlacement', late));
    await page.getByRole('main').getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText('The game session opens here once it is ACTIVE.')).toBeVisible();
    await world.advance(60);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('support');
  });
});

test.describe('in a world of its own', () => {
  test.use({ own: true });
  test('a preset keeps a form and fills it in again', async ({ page, world }) => {
    await open(page, world, form);
    await page.getByLabel('Name (optional)').fill('evening');
    await page.getByRole('button', { name: 'Add a property' }).click();
    await page.getByLabel('Key of property 1').fill('mode');
    await page.getByLabel('Value of property 1').fill('ranked');
    await page.getByLabel('Preset name').fill('Evening match');
    await page.getByRole('button', { name: 'Save preset' }).click();
    await page.getByLabel('Name (optional)').fill('support');
    await page.getByLabel('Value of property 1').fill('casual');
    await page.getByRole('button', { name: 'Evening match', exact: true }).click();
    await expect(page.getByLabel('Name (optional)')).toHaveValue('evening');
    await expect(page.getByLabel('Value of property 1')).toHaveValue('ranked');
    await page.getByRole('button', { name: 'Delete preset Evening match' }).click();
    await expect(page.getByRole('button', { name: 'Evening match', exact: true })).toHaveCount(0);
  });
});

test('what failed is said when the choices cannot be read', async ({ page, world }) => {
  await refuse(page, 'queue_list', {
    kind: 'denied', message: 'DescribeGameSessionQueues in eu-west-1 is not allowed.', awsCode: 'AccessDeniedException',
  }); // prettier-ignore
  await open(page, world, form);
  await expect(page.getByRole('alert').first()).toContainText('AccessDeniedException');
});

test('the form is accessible in both themes', async ({ page, world }) => {
  await open(page, world, form);
  await page.getByRole('button', { name: 'Add a player' }).click();
  await page.getByRole('button', { name: 'Add a property' }).click();
  await page.getByRole('button', { name: 'Review…' }).click();
  await judgeBothThemes(page);
});

test.describe('in the smallest window', () => {
  test.use({ viewport: { width: 1024, height: 700 } });
  test('the form does not spill out', async ({ page, world }) => {
    await open(page, world, form);
    await expect(page.getByRole('button', { name: 'Review…' })).toBeVisible();
    await settled(page);
    const spill = await page.evaluate(() => {
      const main = document.querySelector('main');
      return [document.body.scrollWidth - window.innerWidth, main ? main.scrollWidth - main.clientWidth : 0];
    });
    expect(spill).toEqual([0, 0]);
  });
});
