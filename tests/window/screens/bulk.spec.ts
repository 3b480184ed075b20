/** Many game sessions at once: selecting by keyboard, one preview, a run with a result for each, pause and stop. */
import { expect, test, type Page } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';

async function list(page: Page, address = '#/sessions', fake = 'still,operator,demo'): Promise<void> {
  await open(page, address, fake);
  await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible();
}
/** Few rows, because axe looks at every one. */
const short = '#/sessions?q=status%3Aactive+fleet%3Aarena-canary';
const selected = (page: Page) => page.getByRole('group', { name: 'Selected game sessions' });

test('x, Space and Shift select rows; another search starts without any', async ({ page }) => {
  await list(page);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(selected(page)).toContainText('1 selected');
  await page.keyboard.press('Shift+J');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(selected(page)).toContainText('3 selected');
  await page.keyboard.press('Space');
  await expect(selected(page)).toContainText('2 selected');
  await page.locator('[role=row][aria-rowindex="8"] .select').click({ modifiers: ['Shift'] });
  await expect(selected(page)).toContainText('7 selected');
  await page.getByRole('button', { name: 'Full', exact: true }).click();
  await expect(selected(page)).toHaveCount(0);
});

test('ending two hundred takes the typed name, goes on in the background and shows every result', async ({ page }) => {
  test.slow();
  await list(page, '#/sessions', 'still,operator,demo,held');
  await page.getByLabel('Select all rows that are loaded').check();
  await expect(selected(page)).toContainText('200 selected');
  await selected(page).getByRole('button', { name: 'Terminate…', exact: true }).click();
  const change = dialog(page);
  await expect(change).toContainText('Ends 200 game sessions');
  await expect(change.getByRole('button', { name: 'Terminate 200 game sessions' })).toBeDisabled();
  await change.getByLabel(/To confirm, type/).fill('Demo');
  await change.getByRole('button', { name: 'Terminate 200 game sessions' }).click();
  await change.getByRole('button', { name: 'Pause Terminate 200 game sessions' }).click();
  await expect(change).toContainText('Paused by you.');
  await change.getByRole('button', { name: 'Resume Terminate 200 game sessions' }).click();
  // What is left is looked at and confirmed anew.
  await expect(change).toContainText('Resume: Terminate 200 game sessions');
  await change.getByRole('button', { name: 'Resume', exact: true }).click();
  await change.getByRole('button', { name: 'Go on in the background' }).click();
  const tray = page.getByRole('complementary', { name: 'Runs' });
  // A machine that draws slowly takes minutes over so many steps.
  const patience = { timeout: 120_000 };
  await expect(tray).toContainText('150 of 200', patience);
  await tray.getByRole('button', { name: 'Pause Terminate 200 game sessions' }).click();
  await tray.getByRole('button', { name: 'Resume Terminate 200 game sessions' }).click();
  await change.getByRole('button', { name: 'Resume', exact: true }).click();
  await change.getByRole('button', { name: 'Go on in the background' }).click();
  await expect(tray).toContainText('200 of 200', patience);
  await expect(tray).toContainText('failed');
  await tray.getByRole('button', { name: 'Results' }).click();
  await expect(page.getByRole('group', { name: /Results, 200 of 200/ })).toContainText('ConflictException');
  await page.keyboard.press('Escape');
  await tray.getByRole('button', { name: /Dismiss/ }).click();
  await expect(tray).toHaveCount(0);
  const said = page.getByText(/\d+ of 200 failed in the last run/);
  await expect(said).toBeVisible();
  const failed = Number(/(\d+) of 200/.exec(await said.innerText())?.[1]);
  expect(failed).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Select the failed' }).click();
  await expect(selected(page)).toContainText(`${failed} selected`);
});

test('locking pauses what is running, and it does not go on before it is unlocked', async ({ page }) => {
  await list(page, '#/sessions', 'still,operator,demo,held');
  await page.getByLabel('Select all rows that are loaded').check();
  await selected(page).getByRole('button', { name: 'Update…' }).click();
  const change = dialog(page);
  await change.getByLabel('New players').selectOption('DENY_ALL');
  await change.getByRole('button', { name: 'Review…' }).click();
  await change.getByLabel(/To confirm, type/).fill('Demo');
  await change.getByRole('button', { name: 'Update 200 game sessions' }).click();
  await change.getByRole('button', { name: 'Go on in the background' }).click();
  await page.keyboard.press('Shift+O');
  const tray = page.getByRole('complementary', { name: 'Runs' });
  await expect(tray).toContainText('paused');
  await tray.getByRole('button', { name: /Resume/ }).click();
  await expect(change.getByRole('button', { name: 'Unlock' })).toBeVisible();
  await expect(change.getByRole('button', { name: 'Resume', exact: true })).toHaveCount(0);
});

test('a selection, a run, its results and the tray are accessible', async ({ page }) => {
  await list(page, short);
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+J');
  await expect(selected(page)).toContainText('2 selected');
  await judge(page);
  await page.keyboard.press('d');
  const change = dialog(page);
  await change.getByRole('button', { name: 'Terminate 2 game sessions' }).click();
  await expect(change).toContainText('2 of 2');
  await judge(page);
  await change.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByRole('complementary', { name: 'Runs' })).toContainText('2 of 2');
  await judge(page);
});
