/** Charts with wide buckets: the range that a mean would hide is drawn behind it and read out. */
import { expect } from '@playwright/test';
import { openFleet, open, settled } from './screens';
import { test } from './world';

const lowToHigh = /\d( %)? · [\d.K]+–[\d.K]+/;
/** Pixels to the right of the last instant. */
const gutter = 48;

test('a month of a fleet says how far each figure went inside an hour, by mouse and by key', async ({
  page,
  world,
}) => {
  const fleet = await openFleet(page, world);
  await open(page, world, `${fleet}/scaling?last=30d`);
  const chart = page.getByRole('group', { name: /^Available sessions: chart/ });
  await expect(chart.locator('canvas')).toBeVisible();
  const lane = page.locator('.lane').filter({ has: chart });
  await expect(lane.getByText(/low–high per \d+ (min|h)/)).toBeVisible();
  await expect(lane.locator('.legend')).not.toHaveText(lowToHigh);
  await settled(page);
  const width = (await chart.boundingBox())?.width ?? 0;
  // Points at some hours ago: during the day every metric varies.
  await chart.hover({ position: { x: width - gutter - 6, y: 40 } });
  await expect(lane.locator('.legend')).toHaveText(lowToHigh);
  // The lanes share one cursor, and each shows its own value.
  await expect(page.locator('.lane').filter({ hasText: 'players' }).locator('.legend').first()).toHaveText(
    lowToHigh,
  );
  await page.mouse.move(5, 5);
  await chart.focus();
  await chart.press('ArrowLeft');
  await chart.press('Shift+ArrowLeft');
  await expect(lane.locator('.legend')).toHaveText(lowToHigh);
  await expect(page.getByRole('table', { name: /^Available sessions/ })).toContainText(lowToHigh);
});

test('three hours have none: a bucket holds no more than its value', async ({ page, world }) => {
  const fleet = await openFleet(page, world);
  await open(page, world, `${fleet}/scaling?last=3h`);
  const chart = page.getByRole('group', { name: /^Available sessions: chart/ });
  await expect(chart.locator('canvas')).toBeVisible();
  await settled(page);
  await chart.hover({ position: { x: 500, y: 40 } });
  await expect(page.getByText(/low–high per/)).toHaveCount(0);
  await expect(page.locator('.legend').first()).not.toHaveText(lowToHigh);
});
