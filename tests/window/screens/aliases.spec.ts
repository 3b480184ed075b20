/** Aliases: compare and repoint, watch, undo at any later time, create, edit, delete. */
import { expect, type Page } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { asked, liveRange, test, type World } from './world';

const region = 'ap-northeast-1';
const alias = (page: Page) => page.getByRole('complementary', { name: 'Alias arena-live-ap' });

async function openLive(page: Page, world: World): Promise<void> {
  await open(page, world, '#/aliases?q=arena-live-ap');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 30, y: 12 } });
  await expect(alias(page)).toBeVisible();
}

/** Repoints arena-live-ap from arena-prod-ap to the previous release, on the production connection. */
async function repoint(page: Page): Promise<void> {
  await alias(page).getByRole('button', { name: 'Repoint…' }).click();
  const form = dialog(page, 'Repoint alias arena-live-ap');
  await form.getByRole('combobox', { name: 'New fleet' }).fill('blue');
  await expect(form.getByRole('option', { name: /arena-prod-ap-blue/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(
    form.getByRole('table', { name: /arena-prod-ap and arena-prod-ap-blue side by side/ }),
  ).toContainText('1.41.2');
  await form.getByRole('button', { name: 'Review the repoint…' }).click();
  const review = dialog(page, 'Repoint alias arena-live-ap');
  await expect(review.getByRole('button', { name: 'Repoint alias' })).toBeDisabled();
  await review.getByLabel(/To confirm, type/).fill('arena-live-ap');
  await review.getByRole('button', { name: 'Repoint alias' }).click();
}

test.describe('unlocked', () => {
  test.use({ unlocked: true });

  test('a repoint is compared, typed, sent and then watched', async ({ page, world }) => {
    await openLive(page, world);
    await repoint(page);
    const watch = page.getByRole('region', { name: 'Since the repoint' });
    await expect(watch).toContainText('New on arena-prod-ap-blue');
    await expect(watch).toContainText('Still on arena-prod-ap');
    await expect(watch.getByRole('timer')).toContainText('possible for');
    await expect(page).toHaveURL(/watch=/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(alias(page)).toContainText('Target arena-prod-ap-blue');
  });

  test('the former routing comes back from the history', async ({ page, world }) => {
    await openLive(page, world);
    await repoint(page);
    await page.getByRole('button', { name: 'Hide' }).click();
    await alias(page).getByRole('button', { name: 'Undo: Repoint alias arena-live-ap' }).click();
    const undo = dialog(page);
    await expect(undo).toContainText('Undo: Repoint alias arena-live-ap to arena-prod-ap');
    await undo.getByLabel(/To confirm, type/).fill('arena-live-ap');
    await undo.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(undo).toContainText('GameLift accepted it');
    await undo.getByRole('button', { name: 'Close' }).last().click();
    await expect(alias(page)).toContainText(/Target arena-prod-ap(?!-)/);
    await expect(alias(page)).toContainText('since undone');
  });

  test('the history stays where it is when what is watched arrives', async ({ page, world }) => {
    await openLive(page, world);
    let answer = () => {};
    const asking = new Promise<void>((resolve) => (answer = resolve));
    await page.route(asked('repoint_watch'), async (route) => {
      await asking;
      await route.continue();
    });
    await repoint(page);
    const watch = page.getByRole('region', { name: 'Since the repoint' });
    await expect(watch.getByRole('status', { name: 'Loading the repoint' })).toBeVisible();
    const history = alias(page).getByRole('region', { name: 'History' });
    await expect(history.getByRole('button', { name: 'Watch' })).toBeVisible();
    const top = async () => Math.round((await history.boundingBox())?.y ?? 0);
    const before = await top();
    answer();
    await expect(watch.getByRole('group', { name: /^Game sessions: chart/ })).toBeVisible();
    expect(await top()).toBe(before);
  });

  test('what somebody else repointed is returned with the former fleet chosen and compared', async ({
    page,
    world,
  }) => {
    const aliases = await world.ask<{ aliasId: string; name: string }[]>('alias_list');
    const AliasId = aliases.find((one) => one.name === 'arena-live-ap')?.aliasId;
    const { rows } = await world.ask<{ rows: { fleetId: string; name: string }[] }>('fleet_list', {
      range: liveRange,
    });
    const FleetId = rows.find((fleet) => fleet.name === 'arena-prod-ap-blue')?.fleetId;
    await world.aws(region, 'UpdateAlias', { AliasId, RoutingStrategy: { Type: 'SIMPLE', FleetId } });
    // Aliases are polled once a minute, and when a connection is opened.
    await world.ask('connection_open', { id: 'arena' });
    await openLive(page, world);
    await alias(page)
      .getByRole('button', { name: /^Return to / })
      .click();
    const form = dialog(page, 'Repoint alias arena-live-ap');
    await expect(form.getByRole('combobox', { name: 'New fleet' })).toBeFocused();
    await expect(
      form.getByRole('table', { name: /arena-prod-ap-blue and arena-prod-ap side by side/ }),
    ).toContainText('1.41.2');
    await expect(form.getByRole('button', { name: 'Review the repoint…' })).toBeEnabled();
  });

  test('the whole record of an alias is in Activity, and the filter can be taken away', async ({
    page,
    world,
  }) => {
    await world.describeAlias(region, 'coop-live-ap');
    await openLive(page, world);
    await repoint(page);
    await expect(page.getByRole('region', { name: 'Since the repoint' })).toBeVisible();
    await alias(page).getByRole('link', { name: 'All in Activity' }).click();
    const grid = page.getByRole('grid', { name: 'Activity' });
    await expect(grid).toContainText('Repoint alias arena-live-ap');
    await expect(grid).toHaveAttribute('aria-rowcount', '2');
    await page.getByRole('button', { name: /^Only alias-/ }).click();
    await expect(grid).toHaveAttribute('aria-rowcount', '3');
  });

  test('comparison and watch are accessible in both themes', async ({ page, world }) => {
    await openLive(page, world);
    await alias(page).getByRole('button', { name: 'Repoint…' }).click();
    await page.getByRole('option', { name: /arena-prod-ap-blue/ }).click();
    await expect(page.getByRole('table')).toBeVisible();
    await judgeBothThemes(page);
    await page.keyboard.press('Escape');
    await repoint(page);
    await expect(page.getByRole('region', { name: 'Since the repoint' })).toContainText('Stragglers');
    await judgeBothThemes(page);
  });
});

test.describe('where nothing has to be typed', () => {
  test.use({ wanted: { environment: 'development', name: 'arena-dev' }, unlocked: true });
  test('an alias is created by keyboard, its fleet chosen by name', async ({ page, world }) => {
    await open(page, world, '#/aliases?do=create');
    const form = dialog(page, 'Create alias');
    await expect(form.getByLabel('Name')).toBeFocused();
    await page.keyboard.type('tournament');
    await expect(form.getByRole('button', { name: 'Review…' })).toBeDisabled();
    await form.getByRole('combobox', { name: 'Fleet' }).fill('spot');
    await expect(form.getByRole('option', { name: /arena-spot-eu/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Review…' }).click();
    await dialog(page).getByRole('button', { name: 'Create alias' }).click();
    await expect(dialog(page)).toContainText('GameLift accepted it');
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('grid', { name: 'Aliases' })).toContainText('tournament');
  });
});

test('Back in the review returns to the form as it was left', async ({ page, world }) => {
  await openLive(page, world);
  await alias(page).getByRole('button', { name: 'Repoint…' }).click();
  await page.getByRole('radio', { name: 'Message only (TERMINAL)' }).check({ force: true });
  await page.getByLabel('Message to players').fill('Season 4 is over.');
  await page.getByRole('button', { name: 'Review the repoint…' }).click();
  await expect(dialog(page)).toContainText('TERMINAL: Season 4 is over.');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByLabel('Message to players')).toHaveValue('Season 4 is over.');
});

test('read-only, the review offers to unlock and sends nothing', async ({ page, world }) => {
  await openLive(page, world);
  await alias(page).getByRole('button', { name: 'Delete…' }).click();
  const review = dialog(page, 'Delete alias arena-live-ap');
  await expect(review.getByRole('button', { name: /Unlock/ })).toBeVisible();
  await expect(review.getByRole('button', { name: 'Delete alias' })).toHaveCount(0);
});

test('what can be done with an alias has keys and stands in the palette', async ({ page, world }) => {
  await openLive(page, world);
  await page.keyboard.press('v');
  await expect(dialog(page, 'Repoint alias arena-live-ap')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder(/^Fleet, player, session/).fill('delete alias');
  await expect(page.getByRole('option', { name: /Delete alias arena-live-ap/ })).toHaveAttribute(
    'data-selected',
    '',
  );
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'Delete alias arena-live-ap')).toBeVisible();
});

test('a description can be changed, not taken away', async ({ page, world }) => {
  await openLive(page, world);
  await alias(page).getByRole('button', { name: 'Edit…' }).click();
  const form = dialog(page, 'Edit alias arena-live-ap');
  await form.getByLabel('Description').fill('');
  await expect(form).toContainText('GameLift can replace a description but not clear it.');
  await expect(form.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await form.getByLabel('Description').fill('Ranked players');
  await expect(form.getByRole('button', { name: 'Review…' })).toBeEnabled();
});
