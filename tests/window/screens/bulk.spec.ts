/**
 * Many game sessions at once: selection by keyboard, one preview, a run with a result for each, pause and
 * stop.
 */
import { expect, type Page } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';
import { asked, test, type World } from './world';

const easy = { environment: 'development', name: 'arena-dev' } as const;
/** Fifty-five active game sessions. */
const many = '#/sessions?q=status%3Aactive+region%3Aus-east-1';
/** A list with few rows, because axe checks every one. */
const short = '#/sessions?q=status%3Aactive+fleet%3Aarena-canary-us';

async function list(page: Page, world: World, address: string): Promise<void> {
  await open(page, world, address);
  await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible();
}
const selected = (page: Page) => page.getByRole('group', { name: 'Selected game sessions' });
/** Leaves time to pause a run, even on a slow machine: 600 ms for each change. */
const slow = (operation: string) => ({ operation: `gamelift:${operation}`, latency_ms: 600 });

/** Confirms the rest of a run. The connection's name must be typed while many changes are left. */
async function resume(page: Page): Promise<void> {
  const confirm = dialog(page).getByRole('button', { name: 'Resume', exact: true });
  await expect(confirm).toBeVisible();
  const typed = dialog(page).getByLabel(/To confirm, type/);
  if ((await typed.count()) > 0) await typed.fill('arena-dev');
  await confirm.click();
}

test('x, Space and Shift select rows; another search starts without any', async ({ page, world }) => {
  await list(page, world, many);
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

test.describe('unlocked', () => {
  test.use({ wanted: easy, unlocked: true });

  test('ending many takes the typed name, goes on in the background and shows every result', async ({
    page,
    world,
  }) => {
    await list(page, world, many);
    await page.getByLabel('Select all loaded rows').check();
    await expect(selected(page)).toContainText('55 selected');
    await selected(page).getByRole('button', { name: 'Terminate…', exact: true }).click();
    const change = dialog(page);
    await expect(change).toContainText('Ends 55 game sessions');
    const confirm = change.getByRole('button', { name: 'Terminate 55 game sessions' });
    await expect(confirm).toBeDisabled();
    const refused = { operation: 'gamelift:TerminateGameSession', kind: 'status', status: 409, count: 3 };
    await world.faults(refused, slow('TerminateGameSession'));
    await change.getByLabel(/To confirm, type/).fill('arena-dev');
    await confirm.click();
    await change.getByRole('button', { name: 'Pause Terminate 55 game sessions' }).click();
    await expect(change).toContainText('Paused by hand.');
    await change.getByRole('button', { name: 'Resume Terminate 55 game sessions' }).click();
    // The remaining changes are previewed and confirmed again.
    await expect(change).toContainText('Resume: Terminate 55 game sessions');
    await resume(page);
    await change.getByRole('button', { name: 'Continue in background' }).click();
    const tray = page.getByRole('complementary', { name: 'Runs' });
    await tray.getByRole('button', { name: 'Pause Terminate 55 game sessions' }).click();
    await tray.getByRole('button', { name: 'Resume Terminate 55 game sessions' }).click();
    await world.faults();
    await resume(page);
    await change.getByRole('button', { name: 'Continue in background' }).click();
    await expect(tray).toContainText('55 of 55');
    await expect(tray).toContainText('3 failed');
    await tray.getByRole('button', { name: 'Results' }).click();
    await expect(page.getByRole('group', { name: /Results, 55 of 55/ })).toContainText(
      'RequestAbortedException',
    );
    await page.keyboard.press('Escape');
    await tray.getByRole('button', { name: /Dismiss/ }).click();
    await expect(tray).toHaveCount(0);
    await expect(page.getByText('3 of 55 failed in the last run')).toBeVisible();
    await page.getByRole('button', { name: 'Select failed' }).click();
    await expect(selected(page)).toContainText('3 selected');
  });

  test('locking pauses what is running, and it does not go on before it is unlocked', async ({
    page,
    world,
  }) => {
    await list(page, world, many);
    await page.getByLabel('Select all loaded rows').check();
    await selected(page).getByRole('button', { name: 'Update…' }).click();
    const change = dialog(page);
    await change.getByLabel('New players').selectOption('DENY_ALL');
    await change.getByRole('button', { name: 'Review…' }).click();
    await world.faults(slow('UpdateGameSession'));
    await change.getByRole('button', { name: 'Update 55 game sessions' }).click();
    await change.getByRole('button', { name: 'Continue in background' }).click();
    await page.keyboard.press('Shift+O');
    const tray = page.getByRole('complementary', { name: 'Runs' });
    await expect(tray).toContainText('paused');
    await tray.getByRole('button', { name: /Resume/ }).click();
    await expect(change.getByRole('button', { name: 'Unlock' })).toBeVisible();
    await expect(change.getByRole('button', { name: 'Resume', exact: true })).toHaveCount(0);
  });

  test('a run that is over before anyone looked is kept in sight', async ({ page, world }) => {
    await list(page, world, short);
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+J');
    await expect(selected(page)).toContainText('2 selected');
    await page.keyboard.press('d');
    const change = dialog(page);
    let look = () => {};
    const over = new Promise<void>((resolve) => (look = resolve));
    await page.route(asked('run_list'), async (route) => {
      await over;
      await route.continue();
    });
    await change.getByRole('button', { name: 'Terminate 2 game sessions' }).click();
    await expect(change).toContainText('2 of 2');
    look();
    await change.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(page.getByRole('complementary', { name: 'Runs' })).toContainText('2 of 2');
  });

  test('a selection, a run, its results and the tray are accessible', async ({ page, world }) => {
    await list(page, world, short);
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
});
