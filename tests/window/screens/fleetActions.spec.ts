/** What is done with a fleet: capacity by location, policies, scaling, protection, and draining it. */
import { expect, test, type Page } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';

async function openFleet(page: Page, fake = 'still,operator,demo'): Promise<void> {
  await open(page, '#/fleets', fake);
  await page.locator('[role=row]', { hasText: 'arena-ranked-eu' }).first().click({ position: { x: 60, y: 12 } });
  await expect(page.getByRole('button', { name: 'Raise the maximum…' })).toBeVisible();
}
async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions on this fleet' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('capacity shows current beside new, says what a target policy will do, and is undone', async ({ page }) => {
  await openFleet(page);
  await page.keyboard.press('c');
  const max = dialog(page).getByLabel('Maximum in eu-west-1, now 24');
  await max.fill('1');
  await expect(dialog(page)).toContainText('The minimum 2 is above the maximum 1.');
  await expect(dialog(page).getByRole('button', { name: 'Review…' })).toBeDisabled();
  await max.fill('24');
  await dialog(page).getByLabel('Desired in eu-west-1, now 24').fill('20');
  await expect(dialog(page)).toContainText('now 24, −4');
  await expect(dialog(page)).toContainText('a value set by hand does not last');
  await judge(page);
  await dialog(page).getByRole('button', { name: 'Review…' }).click();
  await expect(dialog(page)).toContainText('this value will not last');
  await dialog(page).getByLabel(/To confirm, type/).fill('Demo');
  await dialog(page).getByRole('button', { name: 'Set capacity' }).click();
  await expect(dialog(page)).toContainText('GameLift shows the new capacity');
  await dialog(page).getByRole('button', { name: 'Undo…' }).click();
  await expect(dialog(page).getByRole('row', { name: /Desired instances 20/ })).toContainText('24');
});

test('a fleet at its maximum offers to raise it first, where it is', async ({ page }) => {
  await openFleet(page);
  await page.getByRole('button', { name: 'Raise the maximum…' }).click();
  await expect(dialog(page).getByRole('row', { name: /eu-west-1/ })).toContainText('at max');
  await expect(dialog(page).getByLabel('Maximum in eu-west-1, now 24')).toBeFocused();
  await page.goto('/?fake=still#/fleets');
  await page.locator('[role=row]', { hasText: 'arena-ranked-us' }).first().click({ position: { x: 60, y: 12 } });
  await expect(page.getByRole('button', { name: 'Capacity…' })).toBeVisible();
});

test('several locations at once become a run with a result each', async ({ page }) => {
  await openFleet(page);
  await page.keyboard.press('c');
  await dialog(page).getByLabel('Maximum in eu-west-1, now 24').fill('30');
  await dialog(page).getByLabel('Maximum in eu-central-1, now 16').fill('20');
  await dialog(page).getByRole('button', { name: 'Review…' }).click();
  await expect(dialog(page).getByRole('group', { name: '2 changes' })).toContainText('arena-ranked-eu · eu-central-1');
  await dialog(page).getByRole('button', { name: 'Send 2 changes' }).click();
  await expect(dialog(page)).toContainText('2 of 2');
});

test('a policy is added, changed and deleted', async ({ page }) => {
  await openFleet(page);
  await page.getByRole('link', { name: 'Configuration' }).click();
  await page.getByRole('button', { name: 'Add a scaling policy' }).click();
  await dialog(page).getByLabel('Name').fill('idle-down');
  await dialog(page).getByText('Rule', { exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Review…' }).click();
  await expect(dialog(page)).toContainText('A whole number, such as -1.');
  await dialog(page).getByLabel('Threshold').fill('4');
  await dialog(page).getByLabel('by or to').fill('-1');
  await judge(page);
  await dialog(page).getByRole('button', { name: 'Review…' }).click();
  await dialog(page).getByRole('button', { name: 'Save policy' }).click();
  await expect(dialog(page)).toContainText('GameLift accepted it.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listitem').filter({ hasText: 'idle-down' })).toBeVisible();
  await page.getByRole('button', { name: 'Change policy track-free' }).click();
  await dialog(page).getByLabel(/Keep available/).fill('30');
  await dialog(page).getByRole('button', { name: 'Review…' }).click();
  await expect(dialog(page)).toContainText('keep 30 % of game sessions available');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete policy idle-down' }).click();
  await dialog(page).getByRole('button', { name: 'Delete policy' }).click();
  await expect(dialog(page)).toContainText('GameLift accepted it.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listitem').filter({ hasText: 'idle-down' })).toHaveCount(0);
});

test('scaling is suspended location by location, and protection changed', async ({ page }) => {
  await openFleet(page);
  await choose(page, 'Suspend or resume scaling…');
  await dialog(page).getByLabel('eu-west-1').uncheck();
  await expect(dialog(page)).toContainText('scales → suspended');
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

test('a drain warns of what still leads here, counts down on the screen of the fleet, pauses and stops', async ({ page }) => {
  await openFleet(page, 'still,operator,demo,held');
  await choose(page, 'Drain this fleet…');
  await expect(dialog(page)).toContainText('2 ways still lead here');
  await dialog(page).getByLabel('alias arena-live', { exact: true }).selectOption({ index: 1 });
  await dialog(page).getByLabel(/take it out of queue/).check();
  await expect(dialog(page)).not.toContainText('still');
  await judge(page);
  await dialog(page).getByRole('button', { name: 'Review…' }).click();
  await expect(dialog(page)).toContainText('Drain arena-ranked-eu');
  await dialog(page).getByLabel(/To confirm, type/).fill('Demo');
  await dialog(page).getByRole('button', { name: 'Start the drain' }).click();
  await expect(dialog(page)).toContainText('Game sessions left');
  await dialog(page).getByRole('button', { name: 'Go on in the background' }).click();
  const panel = page.getByRole('region', { name: 'Drain arena-ranked-eu' });
  await expect(panel).toContainText(/\d+ of 400 game sessions left/);
  await panel.getByRole('button', { name: 'Pause Drain arena-ranked-eu' }).click();
  await expect(panel).toContainText('Paused by you.');
  await judge(page);
  await panel.getByRole('button', { name: 'Resume Drain arena-ranked-eu' }).click();
  await dialog(page).getByRole('button', { name: 'Resume', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Go on in the background' }).click();
  await panel.getByRole('button', { name: 'Stop Drain arena-ranked-eu' }).click();
  await expect(panel).toContainText('What is done stays done.');
});

test('an Anywhere fleet has no capacity to set', async ({ page }) => {
  await open(page, '#/fleets');
  await page.locator('[role=row]', { hasText: 'lobby-anywhere' }).first().click({ position: { x: 60, y: 12 } });
  await expect(page.getByRole('button', { name: 'More actions on this fleet' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Capacity…' })).toHaveCount(0);
});
