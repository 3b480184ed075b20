/** Actions on a fleet: capacity by location, policies, scaling, protection, and draining. */
import { expect, type Page } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';
import { test, type World } from './world';

const easy = { environment: 'development', name: 'arena-dev' } as const;

async function openFleet(page: Page, world: World, name = 'arena-prod-us'): Promise<void> {
  await open(page, world, '#/fleets');
  await page
    .locator('[role=row]', { hasText: name })
    .first()
    .click({ position: { x: 60, y: 12 } });
  await expect(page.getByRole('button', { name: 'More actions on this fleet' })).toBeVisible();
}
async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions on this fleet' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test.describe('unlocked', () => {
  test.use({ wanted: easy, unlocked: true });

  test('capacity shows current beside new, says what a target policy will do, and is undone', async ({
    page,
    world,
  }) => {
    await openFleet(page, world);
    await page.keyboard.press('c');
    const max = dialog(page).getByLabel('Maximum in us-east-1, now 16');
    await max.fill('1');
    await expect(dialog(page)).toContainText('Minimum 2 is above maximum 1.');
    await expect(dialog(page).getByRole('button', { name: 'Review…' })).toBeDisabled();
    await max.fill('16');
    await dialog(page).getByLabel('Desired in us-east-1, now 4').fill('6');
    await expect(dialog(page)).toContainText('now 4, +2');
    await expect(dialog(page)).toContainText('will override the desired count');
    await judge(page);
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await expect(dialog(page)).toContainText('AWS will override 6 at once');
    await dialog(page).getByRole('button', { name: 'Back' }).click();
    await dialog(page).getByLabel('Desired in us-east-1, now 4').fill('4');
    await max.fill('18');
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await dialog(page).getByRole('button', { name: 'Set capacity' }).click();
    await expect(dialog(page)).toContainText('us-east-1 has limits of 2 to 18.');
    await dialog(page).getByRole('button', { name: 'Undo…' }).click();
    await expect(dialog(page).getByRole('row', { name: /^Max.* 18 16$/ })).toBeVisible();
  });

  test('the capacity dialog of the smallest window scrolls down, not sideways', async ({ page, world }) => {
    await page.setViewportSize({ width: 1024, height: 700 });
    await openFleet(page, world);
    await page.keyboard.press('c');
    const sizes = dialog(page);
    await sizes.getByLabel('Desired in us-east-1, now 4').fill('1234');
    await expect(sizes).toContainText('now 4');
    expect(await sizes.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

  test('several locations at once become a run with a result each', async ({ page, world }) => {
    await openFleet(page, world);
    await page.keyboard.press('c');
    await dialog(page).getByLabel('Maximum in us-east-1, now 16').fill('20');
    await dialog(page).getByLabel('Maximum in us-west-2, now 12').fill('14');
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await expect(dialog(page).getByRole('group', { name: '2 changes' })).toContainText(
      'arena-prod-us · us-west-2',
    );
    await dialog(page).getByRole('button', { name: 'Send 2 changes' }).click();
    await expect(dialog(page)).toContainText('2 of 2');
  });

  test('a policy is added, changed and deleted', async ({ page, world }) => {
    await openFleet(page, world, 'coop-script-ap');
    await page.getByRole('link', { name: 'Configuration' }).click();
    await page.getByRole('button', { name: 'Add a scaling policy' }).click();
    await dialog(page).getByLabel('Name').fill('idle-down');
    await dialog(page).getByText('Rule', { exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await expect(dialog(page)).toContainText('Enter a whole number, such as -1.');
    await dialog(page).getByLabel('Threshold').fill('4');
    await dialog(page).getByLabel('Amount').fill('-1');
    await judge(page);
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await dialog(page).getByRole('button', { name: 'Save policy' }).click();
    await expect(dialog(page)).toContainText('GameLift accepted it.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listitem').filter({ hasText: 'idle-down' })).toBeVisible();
    await page.getByRole('button', { name: 'Edit policy keep-sessions-available' }).click();
    await dialog(page)
      .getByLabel(/of game sessions available/)
      .fill('35');
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await expect(dialog(page)).toContainText('keep 35 % of game sessions available');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete policy idle-down' }).click();
    await dialog(page).getByRole('button', { name: 'Delete policy' }).click();
    await expect(dialog(page)).toContainText('GameLift accepted it.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listitem').filter({ hasText: 'idle-down' })).toHaveCount(0);
  });

  test('scaling is suspended location by location, and protection changed', async ({ page, world }) => {
    await openFleet(page, world);
    await choose(page, 'Suspend or resume scaling…');
    await dialog(page).getByLabel('us-east-1').uncheck();
    await expect(dialog(page)).toContainText('active → suspended');
    await judge(page);
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await dialog(page).getByRole('button', { name: 'Suspend scaling' }).click();
    await expect(dialog(page)).toContainText('GameLift accepted it.');
    await page.keyboard.press('Escape');
    await choose(page, 'Stop protecting new game sessions…');
    await expect(dialog(page)).toContainText('FullProtection');
    await dialog(page).getByRole('button', { name: 'Change protection' }).click();
    await expect(dialog(page)).toContainText('GameLift accepted it.');
  });

  test('a drain warns of what still leads here, counts down on the screen of the fleet, pauses and stops', async ({
    page,
    world,
  }) => {
    const fleet = 'arena-spot-us';
    await openFleet(page, world, fleet);
    const fleetId = /#\/fleets\/([^/?]+)/.exec(page.url())?.[1] ?? '';
    const routing = { simple: { fleet_id: fleetId } };
    await world.change('us-east-1', {
      operation: 'CreateAlias',
      name: 'arena-casual-us',
      description: null,
      routing,
    });
    await choose(page, 'Drain this fleet…');
    await expect(dialog(page)).toContainText('2 aliases and queues still send sessions here');
    await dialog(page).getByLabel('alias arena-casual-us', { exact: true }).selectOption({ index: 1 });
    await dialog(page)
      .getByLabel(/remove from queue/)
      .check();
    await expect(dialog(page)).not.toContainText('still');
    await judge(page);
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await expect(dialog(page)).toContainText(`Drain fleet ${fleet}`);
    await dialog(page)
      .getByLabel(/To confirm, type/)
      .fill('arena-dev');
    await dialog(page).getByRole('button', { name: 'Start drain' }).click();
    await expect(dialog(page)).toContainText('Game sessions left');
    await dialog(page).getByRole('button', { name: 'Continue in background' }).click();
    const panel = page.getByRole('region', { name: `Drain fleet ${fleet}` });
    await expect(panel).toContainText('Game sessions left 25 of 25');
    // By now every game session is protected, and nothing changes any more.
    await expect(panel).toContainText('Suspend scaling 2 changes');
    await panel.getByRole('button', { name: /^Pause Drain/ }).click();
    await expect(panel).toContainText('Paused by hand.');
    await judge(page);
    await panel.getByRole('button', { name: /^Resume Drain/ }).click();
    await dialog(page).getByRole('button', { name: 'Resume', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Continue in background' }).click();
    await panel.getByRole('button', { name: /^Stop Drain/ }).click();
    await expect(panel).toContainText('Stopped by hand; 2 changes were not sent.');
  });
});

test.describe('with a fleet at its maximum', () => {
  test.use({ wanted: { scenario: 'capped-fleet' } });
  test('a fleet at its maximum offers to raise it first, where it is', async ({ page, world }) => {
    await openFleet(page, world, 'arena-prod-eu');
    await page.getByRole('button', { name: 'Raise the maximum…' }).click();
    const tight = dialog(page)
      .getByRole('row', { name: /at max/ })
      .first();
    await expect(tight.getByLabel(/^Maximum in /)).toBeFocused();
    await page.keyboard.press('Escape');
    await openFleet(page, world, 'arena-prod-us');
    await expect(page.getByRole('button', { name: 'Capacity…' })).toBeVisible();
  });
});

test('an Anywhere fleet has no capacity to set', async ({ page, world }) => {
  await openFleet(page, world, 'qa-lab-anywhere');
  await expect(page.getByRole('button', { name: 'Capacity…' })).toHaveCount(0);
});
