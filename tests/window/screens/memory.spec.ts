/** A screen that is left leaves nothing behind in the page, and a list that is scrolled fast is never blank. */
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

/** The height of a row, in pixels. */
const rowHeight = 30;

test('a long list that is scrolled fast has a row in every place of every frame, and its content once it rests', async ({
  page,
  world,
}) => {
  await open(page, world, '#/sessions?q=+&last=30d');
  const grid = page.getByRole('grid', { name: 'Game sessions' });
  await expect(grid.locator('[aria-rowindex="2"] [role=gridcell]').nth(2)).not.toBeEmpty();
  await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(5_000);
  const rows = Number(await grid.getAttribute('aria-rowcount')) - 1;
  await settled(page);
  /** How many places of a row are empty in each frame of a scroll through the whole list. */
  const gaps = await grid.evaluate(
    async (table, [height, count]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const bare: number[] = [];
      const jumps = 40;
      for (let jump = 1; jump <= jumps; jump += 1) {
        table.scrollTop = (jump / jumps) * height * count;
        // The first frame shows the jump to who scrolls; by the second its rows are there.
        await frame();
        await frame();
        const box = table.getBoundingClientRect();
        const head = table.querySelector('[role=columnheader]')?.getBoundingClientRect().bottom ?? box.top;
        const drawn = [...table.querySelectorAll('[aria-rowindex]:not([aria-rowindex="1"])')].map((row) =>
          row.getBoundingClientRect(),
        );
        let missing = 0;
        for (let y = head + height; y < box.top + table.clientHeight - height; y += height)
          if (!drawn.some((row) => row.top <= y && row.bottom >= y)) missing += 1;
        bare.push(missing);
      }
      return bare;
    },
    [rowHeight, rows] as const,
  );
  expect(gaps).toEqual(gaps.map(() => 0));
  const last = grid.locator(`[aria-rowindex="${rows + 1}"] [role=gridcell]`).nth(2);
  await expect(last).not.toBeEmpty();
  await expect(last).toBeInViewport();
});
