/**
 * The guard from the user's view: locked, unlocked, previewed, confirmed, moved, refused, unknown, undone.
 */
import { expect, type Page } from '@playwright/test';
import { judge, judgeBothThemes } from './judge';
import { dialog, open, pressAfter } from './screens';
import { meanwhile, test, type World } from './world';

const region = 'us-east-1';
const easy = { environment: 'development', name: 'arena-dev' } as const;

/** Opens an active game session of a fleet without protection. */
async function openSession(page: Page, world: World): Promise<void> {
  await open(page, world, '#/sessions?q=status%3Aactive+fleet%3Aarena-spot-us');
  await page.locator('[role=row][aria-rowindex="2"] [role=gridcell]').nth(2).click();
  await expect(page.getByText('Timeline')).toBeVisible();
}

/** Returns the ARN of the open game session. */
const sessionId = (page: Page): string =>
  decodeURIComponent(/#\/sessions\/([^?]+)/.exec(page.url())?.[1] ?? '');

test.describe('on production', () => {
  test.use({ own: true });

  test('a connection is read-only until its name is typed, and can be locked at once', async ({
    page,
    world,
  }) => {
    await open(page, world, '#/overview');
    await page.getByRole('button', { name: 'Read-only' }).click();
    const unlock = dialog(page).getByRole('button', { name: 'Unlock arena-prod' });
    await expect(unlock).toBeDisabled();
    await dialog(page)
      .getByLabel(/Type the connection/)
      .fill('arena-staging');
    await expect(unlock).toBeDisabled();
    await dialog(page)
      .getByLabel(/Type the connection/)
      .fill('arena-prod');
    await dialog(page).getByText('1 hour').click();
    await unlock.click();
    const chip = page.getByRole('button', { name: /Operator mode, (60|59) min left/ });
    await expect(chip).toBeVisible();
    await chip.click();
    await page.getByRole('menuitem', { name: /Lock now/ }).click();
    await expect(page.getByRole('button', { name: 'Read-only' })).toBeVisible();
  });

  test('read-only, a change is previewed and cannot be confirmed, but unlocked from there', async ({
    page,
    world,
  }) => {
    await openSession(page, world);
    await page.keyboard.press('d');
    await expect(dialog(page)).toContainText('ACTIVE');
    await expect(dialog(page)).toContainText('Cannot be undone.');
    await expect(dialog(page).getByRole('button', { name: 'Terminate game session' })).toHaveCount(0);
    await dialog(page)
      .getByLabel(/Type the connection/)
      .fill('arena-prod');
    await dialog(page).getByRole('button', { name: 'Unlock arena-prod' }).click();
    const confirm = dialog(page).getByRole('button', { name: 'Terminate game session' });
    await expect(confirm).toBeDisabled();
    await dialog(page)
      .getByLabel(/To confirm, type/)
      .fill('arena-prod');
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toContainText('GameLift accepted it.');
    await world.advance(120);
    await expect(dialog(page)).toContainText('The game session is TERMINATED');
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click();
    await expect(page.getByRole('button', { name: 'Save log…' })).toBeVisible();
  });
});

test.describe('unlocked', () => {
  test.use({ wanted: easy, unlocked: true });

  test('a change that moved meanwhile is not sent but asked again', async ({ page, world }) => {
    await openSession(page, world);
    await page.keyboard.press('e');
    await dialog(page).getByLabel('Player slots').fill('20');
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    const confirm = dialog(page).getByRole('button', { name: 'Update game session' });
    await expect(confirm).toBeVisible();
    await world.aws(region, 'UpdateGameSession', {
      GameSessionId: sessionId(page),
      MaximumPlayerSessionCount: 16,
    });
    await confirm.click();
    await expect(dialog(page).getByRole('alert')).toContainText('Something changed since the preview.');
    await expect(dialog(page).getByRole('row', { name: 'Slots 16 20' })).toBeVisible();
    await confirm.click();
    await expect(dialog(page)).toContainText('GameLift accepted it.');
  });

  test('a refusal says what GameLift said, with its code and request id', async ({ page, world }) => {
    await openSession(page, world);
    await page.keyboard.press('d');
    const confirm = dialog(page).getByRole('button', { name: 'Terminate game session' });
    await expect(confirm).toBeVisible();
    await world.faults({ operation: 'gamelift:TerminateGameSession', kind: 'status', status: 409 });
    await confirm.click();
    await expect(dialog(page).getByRole('alert')).toContainText('RequestAbortedException');
    await expect(dialog(page).getByRole('alert')).toContainText('Request id');
  });

  test('an unknown outcome stays in sight on every screen until it is settled', async ({ page, world }) => {
    await openSession(page, world);
    const id = sessionId(page);
    await page.keyboard.press('d');
    const confirm = dialog(page).getByRole('button', { name: 'Terminate game session' });
    await expect(confirm).toBeVisible();
    await world.faults({ operation: 'gamelift:TerminateGameSession', kind: 'reset' });
    await confirm.click();
    await expect(dialog(page)).toContainText('Outcome unknown: GameLift may or may not have done this.');
    await judge(page);
    await page.keyboard.press('Escape');
    await pressAfter(page, 'g', 'o');
    const banner = page.getByText('1 change has an unknown outcome');
    await expect(banner).toBeVisible();
    await world.faults();
    await meanwhile(page, 'activity_settle', () =>
      world.aws(region, 'TerminateGameSession', {
        GameSessionId: id,
        TerminationMode: 'TRIGGER_ON_PROCESS_TERMINATE',
      }),
    );
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(banner).toHaveCount(0);
  });

  test('an update is undone from its result', async ({ page, world }) => {
    await openSession(page, world);
    await page.keyboard.press('e');
    await dialog(page).getByLabel('Player slots').fill('900');
    await expect(dialog(page)).toContainText('From 1 to 200');
    await expect(dialog(page).getByRole('button', { name: 'Review…' })).toBeDisabled();
    await dialog(page).getByLabel('Player slots').fill('14');
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await expect(dialog(page)).toContainText('Slots');
    await dialog(page).getByRole('button', { name: 'Back' }).click();
    await expect(dialog(page).getByLabel('Player slots')).toHaveValue('14');
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await dialog(page).getByRole('button', { name: 'Update game session' }).click();
    await expect(dialog(page)).toContainText('GameLift accepted it.');
    await dialog(page).getByRole('button', { name: 'Undo…' }).click();
    await expect(dialog(page)).toContainText('Undo: Change game session');
    await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(dialog(page)).toContainText('GameLift accepted it.');
    await page.keyboard.press('Escape');
    await expect(page.locator('main header').first()).toContainText('of 12');
  });

  test('reserved slots come with where the player connects', async ({ page, world }) => {
    await openSession(page, world);
    await page.keyboard.press('a');
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await expect(dialog(page)).toContainText('This may not be empty.');
    await dialog(page).getByLabel('Id of player 1').fill('player-77');
    await dialog(page).getByRole('button', { name: 'Review…' }).click();
    await dialog(page).getByRole('button', { name: 'Reserve', exact: true }).click();
    await expect(dialog(page).getByRole('table', { name: 'Reserved slots' })).toContainText('player-77');
    await expect(dialog(page).getByRole('button', { name: 'Copy connection' })).toContainText(
      /^ec2-[\d-]+\.us-west-2\.compute\.amazonaws\.com:\d+/,
    );
  });
});

test('the palette offers what the screen in front can do', async ({ page, world }) => {
  await openSession(page, world);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('terminate at once');
  await expect(page.getByRole('option').first()).toHaveAttribute('data-selected', '');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toContainText('Terminate at once game session');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: /Search/ })).toHaveCount(0);
});

test.describe('without motion', () => {
  // The contrast of a toast that is still fading in cannot be checked.
  test.use({ contextOptions: { reducedMotion: 'reduce' }, unlocked: true });
  test('unlock, forms, preview and result are accessible in both themes', async ({ page, world }) => {
    await openSession(page, world);
    await judgeBothThemes(page);
    for (const key of ['a', 'e', 'd']) {
      await page.keyboard.press(key);
      await expect(dialog(page)).toBeVisible();
      await expect(
        dialog(page).getByRole('button', { name: /Review…|Terminate game session/ }),
      ).toBeVisible();
      await judgeBothThemes(page);
      await page.keyboard.press('Escape');
      await expect(dialog(page)).toHaveCount(0);
    }
    await page.keyboard.press('Shift+O');
    await expect(page.getByRole('button', { name: 'Read-only' })).toBeVisible();
    await page.keyboard.press('Shift+O');
    await expect(dialog(page)).toContainText('Unlock for');
    await judgeBothThemes(page);
  });
});
