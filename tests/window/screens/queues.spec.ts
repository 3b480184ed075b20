/**
 * Queues and single placements: order by keyboard, latency policies, review; a placement's history and its
 * end.
 */
import { expect } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { test } from './world';

test('a queue opens from the list, and Escape returns to the list', async ({ page, world }) => {
  await open(page, world, '#/placements/queues');
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('arena-ap');
  await expect(page.getByRole('list', { name: 'Destinations in order' })).toContainText('arena-live-ap');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Queues');
});

test.describe('on a world of its own', () => {
  test.use({ unlocked: true });

  test('a queue is created with a destination and a topic, and is there', async ({ page, world }) => {
    await open(page, world, '#/placements/queues');
    await page.getByRole('button', { name: 'Create queue…' }).click();
    const form = dialog(page, 'Create queue');
    const review = form.getByRole('button', { name: 'Review…' });
    await expect(review).toBeDisabled();
    await form.getByRole('textbox', { name: /^Name/ }).fill('arena by hand');
    await expect(form.getByText(/letters, digits and hyphens only/)).toBeVisible();
    await form.getByRole('textbox', { name: /^Name/ }).fill('arena-by-hand');
    await form.getByRole('combobox', { name: 'Region' }).selectOption('eu-west-1');
    const picker = form.getByRole('combobox', { name: 'Add a destination' });
    await picker.fill('coop-script');
    await page.getByRole('option', { name: /coop-script-eu/ }).click();
    const topic = 'arn:aws:sns:eu-west-1:111122223333:events.fifo';
    await form.getByRole('textbox', { name: /Notification target/ }).fill(topic);
    await judgeBothThemes(page);
    await review.click();
    const asked = dialog(page, 'Create queue arena-by-hand');
    await expect(asked).toContainText('FIFO topic');
    await expect(asked).toContainText('Liftdeck deletes no queues');
    // There is no undo, so the connection's name has to be typed.
    await asked.getByLabel(/To confirm, type/).fill('arena-prod');
    await asked.getByRole('button', { name: 'Create queue' }).click();
    await expect(asked).toContainText('GameLift accepted it');
    await asked.getByRole('button', { name: 'Close' }).last().click();
    await open(page, world, '#/placements/queues/eu-west-1/arena-by-hand');
    await expect(page.getByRole('list', { name: 'Destinations in order' })).toContainText('coop-script-eu');
  });

  test('destinations are reordered, removed and added by keyboard, then reviewed and sent', async ({
    page,
    world,
  }) => {
    await open(page, world, '#/placements/queues/eu-west-1/arena-eu');
    await page.getByRole('button', { name: 'Edit…' }).click();
    const list = page.getByRole('list', { name: 'Destinations in order' });
    const review = page.getByRole('button', { name: 'Review the change…' });
    const picker = page.getByRole('combobox', { name: 'Add a destination' });
    await expect(review).toBeDisabled();
    await picker.fill('coop-script');
    await expect(page.getByRole('option', { name: /coop-script-eu/ })).toBeVisible();
    await page.getByRole('option', { name: /coop-script-eu/ }).click();
    await list.getByRole('button', { name: /coop-script-eu.*3 of 3/ }).focus();
    await page.keyboard.press('ArrowUp');
    await expect(list.getByRole('button', { name: /coop-script-eu.*2 of 3/ })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(list.locator('li').first()).toContainText('coop-script-eu');
    await list.getByRole('button', { name: /arena-spot-eu.*3 of 3/ }).press('Delete');
    await expect(list.locator('li')).toHaveCount(2);
    await picker.fill('canary');
    await expect(page.getByRole('option', { name: /arena-canary-us/ }).first()).toBeVisible();
    await picker.press('Enter');
    await expect(list.locator('li')).toHaveCount(3);
    await review.click();
    const asked = dialog(page, 'Change queue arena-eu');
    await expect(asked).toContainText(/coop-script-eu \(fleet-[^)]+\), arena-live-eu/);
    await asked.getByLabel(/To confirm, type/).fill('arena-prod');
    await asked.getByRole('button', { name: 'Update queue' }).click();
    await expect(asked).toContainText('GameLift accepted it');
    await asked.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('button', { name: 'Edit…' })).toBeVisible();
    await expect(list.locator('li').first()).toContainText('coop-script-eu');
  });

  test('a pending placement is accessible in both themes and can be stopped, an ended one cannot', async ({
    page,
    world,
  }) => {
    await world.aws('eu-west-1', 'StartGameSessionPlacement', {
      PlacementId: 'waiting-placement',
      GameSessionQueueName: 'arena-eu',
      MaximumPlayerSessionCount: 10,
      // Exceeds the latency that the queue allows, so it stays pending.
      PlayerLatencies: [{ PlayerId: 'ada', RegionIdentifier: 'eu-west-1', LatencyInMilliseconds: 900 }],
    });
    await open(page, world, '#/placements/waiting-placement');
    await expect(page.getByRole('button', { name: 'Stop placement…' })).toBeVisible();
    await judgeBothThemes(page);
    await page.getByRole('button', { name: 'Stop placement…' }).click();
    const review = dialog(page);
    await review.getByLabel(/To confirm, type/).fill('arena-prod');
    await review.getByRole('button', { name: 'Stop placement' }).click();
    await expect(review).toContainText('GameLift accepted it');
    await review.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByText('cancelled', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Stop placement…' })).toHaveCount(0);
  });
});

test('destinations are picked one after the other with Enter alone', async ({ page, world }) => {
  await open(page, world, '#/placements/queues/eu-west-1/arena-eu');
  await page.getByRole('button', { name: 'Edit…' }).click();
  const list = page.getByRole('list', { name: 'Destinations in order' });
  const picker = page.getByRole('combobox', { name: 'Add a destination' });
  for (const count of [3, 4, 5]) {
    await expect(page.getByRole('option').first()).toHaveAttribute('data-selected', '');
    await picker.press('Enter');
    await expect(list.locator('li')).toHaveCount(count);
  }
});

test('a queue leads to a new game session through it', async ({ page, world }) => {
  await open(page, world, '#/placements/queues/eu-west-1/arena-eu');
  await page.getByRole('link', { name: 'Start a placement…' }).click();
  await expect(page.getByLabel('Queue', { exact: true }).last()).toHaveValue('eu-west-1/arena-eu');
});

test('what the service would refuse is said at the field', async ({ page, world }) => {
  await open(page, world, '#/placements/queues/eu-west-1/arena-eu');
  await page.getByRole('button', { name: 'Edit…' }).click();
  const timeout = page.getByLabel('Seconds until a placement times out');
  await timeout.fill('601');
  await expect(page.getByText('From 10 to 600, not 601.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Review the change…' })).toBeDisabled();
  await timeout.fill('30');
  await page.getByRole('button', { name: 'Add a policy' }).click();
  await expect(page.getByText('so later policies never apply')).toBeVisible();
  await expect(page.getByText('Enter a limit in milliseconds.')).toBeVisible();
});

test('a placement opens from the stream with its story and the latencies of its players', async ({
  page,
  world,
}) => {
  await open(page, world, '#/placements');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Placement');
  await expect(page.getByText('PlacementFulfilled').first()).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Players' })).toContainText(' ms');
  await expect(page.getByRole('link', { name: 'Open game session' })).toBeVisible();
});

test('a queue and its editor are accessible in both themes', async ({ page, world }) => {
  await open(page, world, '#/placements/queues/eu-west-1/royale-eu');
  await expect(page.getByRole('list', { name: 'Destinations in order' })).toContainText(
    'Royale in containers',
  );
  await judgeBothThemes(page);
  await page.getByRole('button', { name: 'Edit…' }).click();
  await expect(page.getByRole('combobox', { name: 'Add a destination' })).toBeVisible();
  await judgeBothThemes(page);
});
