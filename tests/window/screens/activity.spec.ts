/** Activity: all attempts, filters, details, unknown outcomes, export, runs with the result of each item. */
import { expect, type Page } from '@playwright/test';
import { judge, judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { liveRange, meanwhile, test, type World } from './world';

const region = 'ap-northeast-1';

/** Records three changes: one succeeds, one GameLift refuses, one it aborts. */
async function record(world: World): Promise<void> {
  await world.describeAlias(region, 'coop-live-ap');
  const { rows } = await world.ask<{ rows: { fleetId: string; name: string }[] }>('fleet_list', {
    range: liveRange,
  });
  const target = { fleet: rows.find((fleet) => fleet.name === 'arena-prod-ap-blue')?.fleetId };
  await world.change(region, {
    operation: 'CreateGameSession', target, location: null, maximumPlayerSessionCount: 12, name: null, gameProperties: [],
    gameSessionData: null, idempotencyToken: 'token-1', creatorId: null,
  }); // prettier-ignore
  await world.faults({ operation: 'gamelift:UpdateGameSessionQueue', kind: 'status', status: 409 });
  await world.change(region, {
    operation: 'UpdateGameSessionQueue', name: 'arena-ap', timeoutSeconds: 95, destinations: null, playerLatencyPolicies: null,
  }); // prettier-ignore
  await world.faults();
}

/** Changes a queue's timeout on its screen and waits for the outcome. */
async function editQueue(page: Page, world: World) {
  await open(page, world, `#/placements/queues/${region}/arena-ap`);
  await page.getByRole('button', { name: 'Edit…' }).click();
  await page.getByLabel('Seconds until a placement times out').fill('95');
  await page.getByRole('button', { name: 'Review the change…' }).click();
  const review = dialog(page);
  await review.getByLabel(/To confirm, type/).fill('arena-prod');
  await review.getByRole('button', { name: 'Update queue' }).click();
  return review;
}

test.describe('unlocked', () => {
  test.use({ unlocked: true });

  test('filters narrow the record, live in the address, and what is shown can be exported', async ({
    page,
    world,
  }) => {
    await record(world);
    await open(page, world, '#/activity');
    const grid = page.getByRole('grid', { name: 'Activity' });
    await expect(grid).toContainText('alias coop-live-ap');
    await page.getByRole('button', { name: 'failed', exact: true }).click();
    await expect(grid).not.toContainText('coop-live-ap');
    await expect(page).toHaveURL(/outcomes=failed/);
    await page.getByLabel('Operation').selectOption('CreateGameSession');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
    await expect(page.getByText('1 change', { exact: true })).toBeVisible();
    await page.reload();
    await expect(grid).toContainText('arena-prod-ap-blue');
    await expect(grid).not.toContainText('queue arena-ap');
    await page.getByRole('button', { name: 'Export these changes' }).click();
    // The message is shown for four seconds, so the wait starts before the click.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      expect(page.getByText('activity.ndjson')).toBeVisible(),
      page.getByRole('menuitem', { name: /NDJSON/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('activity.ndjson');
  });

  test('an attempt that failed says the code, the request id and what to do', async ({ page, world }) => {
    await record(world);
    await open(page, world, '#/activity?outcomes=failed&operation=CreateGameSession');
    await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
    const detail = page.getByRole('complementary', { name: 'Selected change' });
    await expect(detail).toContainText('Raise the desired instances of the fleet');
    await expect(detail).toContainText('FleetCapacityExceededException');
    await expect(detail.getByRole('table', { name: 'Before and after' })).toContainText('12');
    await expect(detail.getByRole('button', { name: 'Copy Request id' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(detail).toHaveCount(0);
  });

  test('an unknown outcome is settled by asking GameLift', async ({ page, world }) => {
    await world.faults({ operation: 'gamelift:UpdateGameSessionQueue', kind: 'reset' });
    const review = await editQueue(page, world);
    await expect(review).toContainText('Outcome unknown');
    await review.getByRole('link', { name: 'Show in Activity' }).click();
    const detail = page.getByRole('complementary', { name: 'Selected change' });
    await expect(detail).toContainText('outcome unknown');
    await world.faults();
    await meanwhile(page, 'activity_settle', () =>
      world.aws(region, 'UpdateGameSessionQueue', { Name: 'arena-ap', TimeoutInSeconds: 95 }),
    );
    await detail.getByRole('button', { name: 'Check now' }).click();
    await expect(detail).not.toContainText('outcome unknown');
    await expect(detail).toContainText('AWS does not say whether this change or someone else did that.');
  });

  test('a change of ours in a feed leads to its attempt', async ({ page, world }) => {
    const review = await editQueue(page, world);
    await expect(review).toContainText('GameLift accepted it');
    await review.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('link', { name: 'by you' }).click();
    await expect(page.getByRole('grid', { name: 'Activity' })).toContainText('queue arena-ap');
  });

  test('one attempt in full is accessible in both themes', async ({ page, world }) => {
    await record(world);
    await open(page, world, '#/activity');
    await page.locator('[role=row][aria-rowindex="3"]').click({ position: { x: 40, y: 12 } });
    await expect(page.getByText('Details', { exact: true })).toBeVisible();
    await judgeBothThemes(page);
  });
});

test.describe('where nothing has to be typed', () => {
  test.use({ wanted: { environment: 'development', name: 'arena-dev' }, unlocked: true });
  test('a run stands with its progress and the result of each of its changes', async ({ page, world }) => {
    await open(page, world, '#/sessions?q=status%3Aactive+fleet%3Aarena-canary-us');
    await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible();
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+J');
    await page.keyboard.press('d');
    const review = dialog(page);
    await review.getByRole('button', { name: 'Terminate 2 game sessions' }).click();
    await review.getByRole('link', { name: 'Show in Activity' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Runs');
    await expect(page.getByRole('grid', { name: 'Runs' })).toContainText('Terminate 2 game sessions');
    const changes = page.getByRole('grid', { name: 'Activity' });
    await expect(changes).toHaveAttribute('aria-rowcount', '3');
    await judge(page);
    await changes.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
    await page
      .getByRole('complementary', { name: 'Selected change' })
      .getByRole('link', { name: /…/ })
      .first()
      .click();
    await expect(page).toHaveURL(/#\/activity\/runs\//);
  });
});
