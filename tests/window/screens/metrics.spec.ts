/** The Metrics tab of a fleet: every metric by its CloudWatch name, one cursor, one range. */
import { expect, type Page } from '@playwright/test';
import { judge } from './judge';
import { openFleet, open, settled } from './screens';
import { test } from './world';

/** The charts under a heading: a metric group has metrics of the same names. */
const charts = (page: Page, heading: string) =>
  page.getByRole('region', { name: heading, exact: true }).locator('.chart');

test('each metric has its name, unit and statistic, and what was never seen is said', async ({
  page,
  world,
}) => {
  const fleet = await openFleet(page, world);
  await open(page, world, `${fleet}/metrics?last=24h`);
  for (const group of ['Instances', 'Game sessions', 'Player sessions', 'Server processes']) {
    await expect(page.getByRole('heading', { name: group, exact: true })).toBeVisible();
  }
  const share = charts(page, 'Game sessions').filter({ hasText: 'PercentAvailableGameSessions' });
  await expect(share.locator('.legend')).toContainText('Percent · Average');
  const ended = charts(page, 'Server processes').filter({ hasText: 'ServerProcessAbnormalTerminations' });
  await expect(ended.locator('.legend')).toContainText('Count · Sum');
  await expect(page.getByText(/No data in this range: InstanceSpotInterruptions/)).toBeVisible();
  await judge(page);
});

test('the cursor is one, arrows move it, a brush zooms all and the address keeps it', async ({
  page,
  world,
}) => {
  const fleet = await openFleet(page, world);
  await open(page, world, `${fleet}/metrics?last=24h`);
  const chart = charts(page, 'Game sessions').getByRole('group', { name: /^ActiveGameSessions: chart/ });
  await expect(chart.locator('canvas')).toBeVisible();
  await settled(page);
  await chart.focus();
  await chart.press('ArrowLeft');
  await chart.press('Shift+ArrowLeft');
  const players = charts(page, 'Player sessions')
    .filter({ hasText: 'CurrentPlayerSessions' })
    .locator('.legend em');
  const before = await players.textContent();
  await chart.press('Shift+ArrowLeft');
  await expect(players).not.toHaveText(before ?? '');
  await expect(page.locator('.aside time:not(.age)')).toBeVisible();
  const box = await chart.boundingBox();
  if (!box) throw new Error('The chart has no place.');
  await page.mouse.move(box.x + 120, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 180, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/metrics\?.*from=/);
  await expect(chart.locator('canvas')).toBeVisible();
});

test('a location is chosen in the address, and without data it says what would be here', async ({
  page,
  world,
}) => {
  const fleet = await openFleet(page, world);
  await open(page, world, `${fleet}/metrics`);
  const choice = page.getByRole('group', { name: 'Location' }).getByRole('button').nth(1);
  await choice.click();
  await expect(page).toHaveURL(/location=/);
  await expect(choice).toHaveAttribute('aria-pressed', 'true');
  await open(page, world, `${fleet}/metrics?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z`);
  await expect(page.getByText('No metrics in this range')).toBeVisible();
});

test('what CloudWatch lists besides is read while the tab is open, with its unit', async ({
  page,
  world,
}) => {
  const fleet = await openFleet(page, world);
  await open(page, world, `${fleet}/metrics?last=24h`);
  await expect(page.getByRole('heading', { name: 'Hardware', exact: true })).toBeVisible();
  const sent = charts(page, 'Hardware').filter({ hasText: 'NetworkOut' });
  await expect(sent.locator('.legend')).toContainText('Bytes · Sum');
  const used = charts(page, 'Hardware').filter({ hasText: 'CPUUtilization' });
  await expect(used.locator('.legend')).toContainText('Percent · Average');
  await expect(charts(page, 'Server processes').filter({ hasText: 'ServerProcessActivations' })).toHaveCount(
    1,
  );
  await judge(page);
});

test('instances tell their server processes, and what GameLift does not tell of them', async ({
  page,
  world,
}) => {
  const fleet = await openFleet(page, world);
  await open(page, world, `${fleet}/instances`);
  await expect(page.getByText(/GameLift does not list server processes\. By the runtime/)).toBeVisible();
  const summary = page.getByRole('table', { name: 'Server processes by location' });
  await expect(summary.getByRole('columnheader', { name: 'Configured server processes' })).toBeVisible();
  await judge(page);
});
