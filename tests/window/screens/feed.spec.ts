/**
 * Adopting an event queue: offered where it is missing, shows the waiting messages, and requires the queue's
 * name.
 */
import { expect } from '@playwright/test';
import { judge, judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { alter, test, type World } from './world';

const adopting = 'Adopt an event queue';
const region = 'eu-west-1';
const queue = `liftdeck-events-${region}`;

const url = (world: World): string => world.queues[region] ?? '';

type Health = { feeds: { region: string; state: string; waiting: number | null; otherReader: unknown }[] };
const ours = (health: Health) => health.feeds.find((one) => one.region === region);

/** Releases the queue from Liftdeck and sends a shop's messages to it. */
async function shared(world: World): Promise<void> {
  await world.ask('feed_release', { url: url(world) });
  // A message sent while Liftdeck is still polling would be received.
  await expect.poll(async () => ours(await world.ask<Health>('health_get'))?.state).toBe('notAdopted');
  for (const order of [116, 117, 118]) await world.message(region, JSON.stringify({ order }));
}

test.describe('a queue that is given up', () => {
  test.use({ own: true });

  test('a queue nobody adopted says so on the placements screen and leads to its adoption', async ({
    page,
    world,
  }) => {
    await shared(world);
    await world.ask('retry_now');
    await expect.poll(async () => ours(await world.ask<Health>('health_get'))?.waiting).toBe(3);
    // Detecting another reader takes minutes, so the answer is altered.
    await page.route('**/hints', () => undefined);
    await alter(page, 'health_get', (health: Health) => {
      const other = health.feeds.find((one) => one.region === 'us-east-1');
      if (other) other.otherReader = { deliveries: 31, since: Date.parse('2026-03-10T17:50:00Z') };
    });
    await open(page, world, '#/placements');
    await expect(page.getByText('not adopted: 3 messages not read')).toBeVisible();
    await expect(page.getByText('events lost to another consumer')).toBeVisible();
    await judge(page);
    await page.getByRole('button', { name: `Adopt ${queue}` }).click();
    const shown = dialog(page, adopting);
    await expect(shown.getByText('3 messages; none deleted')).toBeVisible();
    await expect(shown.getByText('{"order":117}')).toBeVisible();
    await judge(page);
  });

  test("messages of others ask for the queue's name, by keyboard alone", async ({ page, world }) => {
    await shared(world);
    await open(page, world, '#/placements');
    await page.getByRole('button', { name: `Adopt ${queue}` }).press('Enter');
    const shown = dialog(page, adopting);
    const adopt = shown.getByRole('button', { name: 'Adopt queue' });
    await expect(adopt).toBeDisabled();
    const name = shown.getByRole('textbox');
    await name.fill('liftdeck');
    await expect(adopt).toBeDisabled();
    await name.fill(queue);
    await judgeBothThemes(page);
    await name.press('Enter');
    await expect(dialog(page, adopting)).toHaveCount(0);
    await expect(page.getByText('Event queue adopted', { exact: true })).toBeVisible();
  });

  test('what was set aside is shown with the reason', async ({ page, world }) => {
    await shared(world);
    await world.ask('feed_look', { url: url(world), anyway: true });
    await world.ask('feed_adopt', { url: url(world), setAside: true, typed: queue });
    await open(page, world, '#/placements');
    await page.getByRole('button', { name: `Show messages set aside from ${queue}` }).click();
    await expect(dialog(page, 'Messages set aside').getByText('{"order":117}')).toBeVisible();
    await judge(page);
  });

  test('a look that is refused says why and can be tried again', async ({ page, world }) => {
    await shared(world);
    await open(page, world, '#/placements');
    const adopt = page.getByRole('button', { name: `Adopt ${queue}` });
    await expect(adopt).toBeVisible();
    await world.faults({ operation: 'sqs:GetQueueAttributes', kind: 'status', status: 400 });
    await adopt.click();
    const shown = dialog(page, adopting);
    await expect(shown.getByRole('alert')).toContainText('RequestAbortedException');
    await expect(shown.getByRole('button', { name: 'Adopt queue' })).toBeDisabled();
    await world.faults();
    await shown.getByRole('button', { name: 'Retry' }).click();
    await expect(shown.getByText(/messages; none deleted/)).toBeVisible();
  });
});

test.describe('in a database that is new', () => {
  test.use({ own: true, wanted: { collected: false } });
  test('where nothing is received, placements are not known and never none', async ({ page, world }) => {
    await open(page, world, '#/placements');
    await expect(page.getByText('No event queue adopted')).toBeVisible();
    await expect(page.getByText('0 placements')).toHaveCount(0);
    await expect(page.getByText('Outcomes', { exact: true })).toHaveCount(0);
    await judge(page);
  });
});
