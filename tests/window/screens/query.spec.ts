/** The query field over game sessions: what a mistake does to the rows, and what the field offers. */
import { expect } from '@playwright/test';
import { open } from './screens';
import { asked, test } from './world';

test('rows of the query before are called so while another does not parse, and its error goes with it', async ({
  page,
  world,
}) => {
  await open(page, world, '#/sessions');
  const search = page.getByRole('combobox', { name: 'Search game sessions' });
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
  await search.fill('players>=many');
  await expect(page.getByText('Fix the query to search.')).toBeVisible();
  await expect(page.getByText('Results of the query before')).toContainText('status:active');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Everything' }).click();
  await expect(search).toHaveValue('');
  await expect(page.getByText('Fix the query to search.')).toHaveCount(0);
  await expect(page.getByText('Results of the query before')).toHaveCount(0);
});

test('a game property offers the values it has', async ({ page, world }) => {
  await open(page, world, '#/sessions');
  const search = page.getByRole('combobox', { name: 'Search game sessions' });
  await search.fill('prop.');
  await page.getByRole('option').first().click();
  await expect(search).toHaveValue(/^prop\..+:$/);
  await expect(page.getByRole('option').first()).toBeVisible();
  const value = await page.getByRole('option').first().locator('.mono').innerText();
  await page.keyboard.press('Tab');
  await expect(search).toHaveValue(new RegExp(`^prop\\..+:"?${value.replace(/[^\w ]/g, '.')}"?$`));
});

test('what was just taken is not offered again while its values are looked for', async ({ page, world }) => {
  await open(page, world, '#/sessions');
  const search = page.getByRole('combobox', { name: 'Search game sessions' });
  const options = page.getByRole('option');
  await search.fill('prop.');
  await expect(options.first()).toBeVisible();
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(asked('query_check'), async (route) => {
    await held;
    await route.continue();
  });
  await options.first().click();
  await expect(search).toHaveValue(/^prop\..+:$/);
  await expect(options).toHaveCount(0);
  answer();
  await expect(options.first()).toBeVisible();
});
