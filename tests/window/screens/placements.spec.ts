/** The stream of placements split by queue, Region and destination: each part links to its own screen. */
import { expect, type Page } from '@playwright/test';
import { judge } from './judge';
import { open } from './screens';
import { test } from './world';

const parts = (page: Page, by: string) => page.getByRole('region', { name: `Placements by ${by}` });

test('the split shows outcomes and percentiles of each part by name, and no part is empty', async ({
  page,
  world,
}) => {
  await open(page, world, '#/placements');
  const rows = parts(page, 'queue').locator('tbody tr');
  await expect(rows.first()).toBeVisible();
  const counts = await rows.locator('td:nth-child(2)').allInnerTexts();
  const numbers = counts.map((text) => Number(text.replace(/\D/g, '')));
  expect(numbers.every((count) => count > 0)).toBe(true);
  // Not by count, which moves under the hand.
  const names = await rows.getByRole('link').allInnerTexts();
  expect(names.length).toBeGreaterThan(1);
  expect([...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))).toEqual(names);
  await expect(parts(page, 'queue').locator('thead')).toContainText('p99');
  await judge(page);
});

for (const [by, parameter] of [
  ['queue', 'queue'],
  ['region', 'region'],
  ['destination', 'destination'],
] as const) {
  test(`a click on a ${by} narrows the screen to it, and back leads to all`, async ({ page, world }) => {
    await open(page, world, `#/placements?by=${by}`);
    const rows = parts(page, by).locator('tbody tr');
    await expect(rows.nth(1)).toBeVisible();
    const before = await rows.count();
    const wanted = await rows.nth(1).locator('td:nth-child(2)').innerText();
    await rows.nth(1).getByRole('link').click();
    await expect(page).toHaveURL(new RegExp(`[?&]${parameter}=`));
    await expect(rows).toHaveCount(1);
    await expect(rows.first().locator('td:nth-child(2)')).toHaveText(wanted);
    await expect(page.getByText(new RegExp(`^${wanted} placements?\\b`))).toBeVisible();
    await page.goBack();
    await expect(rows).toHaveCount(before);
  });
}

test('a narrowed Region is named above the list and can be taken away', async ({ page, world }) => {
  await open(page, world, '#/placements?by=destination&destination=nowhere&types=');
  await page.getByRole('button', { name: /^Remove filter destination/ }).click();
  await expect(page).not.toHaveURL(/[?&]destination=/);
  await expect(parts(page, 'destination').locator('tbody tr').nth(1)).toBeVisible();
});

test('the way of splitting is chosen by keyboard and kept in the address', async ({ page, world }) => {
  await open(page, world, '#/placements');
  await page.getByRole('radio', { name: 'Queue' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/by=region/);
  await expect(parts(page, 'region').locator('tbody tr').first()).toBeVisible();
});
