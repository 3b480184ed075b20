/** A screen that is left leaves nothing behind in the page. */
import { expect, type Page } from '@playwright/test';
import { open, settled } from './screens';
import { test } from './world';

const visited = ['#/fleets', '#/aliases', '#/builds', '#/matchmaking', '#/sessions?q=+', '#/placements'];

async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await settled(page);
}

test('going round the screens again and again keeps no more nodes', async ({ page, world }) => {
  await open(page, world, '#/settings');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const round = async (): Promise<number> => {
    for (const address of [...visited, '#/settings']) await visit(page, address);
    await devtools.send('HeapProfiler.collectGarbage');
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find((one) => one.name === 'Nodes')?.value ?? 0;
  };
  await round();
  const before = await round();
  await round();
  await round();
  // One table that stays would be hundreds of nodes a round.
  expect((await round()) - before).toBeLessThan(300);
});
