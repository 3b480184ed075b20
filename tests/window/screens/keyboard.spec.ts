/** Everything by keyboard: navigating, selecting, opening, filtering, going back. */
import { expect } from '@playwright/test';
import type { Overview } from '../../../ui/src/host/bindings.gen';
import { dialog, open, pressAfter, starting } from './screens';
import { alertOf, alter, asked, test } from './world';

test('g and a letter goes to a screen, and Back returns', async ({ page, world }) => {
  await open(page, world, '#/overview');
  await pressAfter(page, 'g', 'f');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Fleets/);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Overview/);
});

test('j, k and Enter choose and open a row, Escape goes back to the list', async ({ page, world }) => {
  await open(page, world, '#/sessions');
  await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(page.locator('[role=row][aria-selected=true]')).toHaveAttribute('aria-rowindex', '3');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Timeline')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sessions');
});

test('Tab reaches what the active row offers and goes past all other rows', async ({ page, world }) => {
  await open(page, world, '#/sessions');
  const grid = page.getByRole('grid', { name: 'Game sessions' });
  await expect(grid.locator('[aria-rowindex="4"] .cell button').first()).toBeVisible();
  /** The rows through which Tab goes from the list until it has left it. */
  const through = async (): Promise<string[]> => {
    const rows: string[] = [];
    await grid.focus();
    // The heads of the columns come first, then the rows.
    for (let pressed = 0; pressed < 40; pressed += 1) {
      await page.keyboard.press('Tab');
      if ((await grid.locator(':focus').count()) === 0) return rows;
      const row = grid.locator('[role=row]:not([aria-rowindex="1"]):has(:focus)');
      if ((await row.count()) > 0) rows.push((await row.getAttribute('aria-rowindex')) ?? '');
    }
    throw new Error(`Tab does not leave the list: ${rows.join(' ')}`);
  };
  expect(await through()).toEqual([]);
  await grid.focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const controls = grid.locator('[aria-rowindex="3"]').locator('.cell a, .cell button');
  const rows = await through();
  expect(rows.length).toBeGreaterThan(1);
  expect(rows).toEqual(Array(await controls.count()).fill('3'));
  await page.keyboard.press('Shift+Tab');
  await expect(controls.last()).toBeFocused();
  await page.keyboard.press('j');
  await expect(grid).toBeFocused();
  await expect(controls.first()).toHaveAttribute('tabindex', '-1');
});

test('j, k and Enter choose and open an alert of the Overview', async ({ page, world }) => {
  await alter(page, 'overview_get', (overview: Overview) => ({
    ...overview,
    alerts: [alertOf('a', 'bad', 10), alertOf('b', 'warning', 20)],
  }));
  await open(page, world, '#/overview');
  const title = (id: string) => page.getByRole('link', { name: `Alert ${id}`, exact: true });
  await expect(title('b')).toBeVisible();
  await page.keyboard.press('j');
  await expect(title('a')).toBeFocused();
  await page.keyboard.press('j');
  await expect(title('b')).toBeFocused();
  await page.keyboard.press('k');
  await expect(title('a')).toBeFocused();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/alerts\/b$/);
  await page.keyboard.press('Shift+?');
  await expect(dialog(page)).toContainText('Next row or alert');
});

test('the palette finds a screen and runs it', async ({ page, world }) => {
  await open(page, world, '#/overview');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('placem');
  await expect(page.getByRole('option').first()).toContainText('Placements');
  await expect(page.getByRole('option').first()).toHaveAttribute('data-selected', '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Placements/);
});

test('the palette takes what is typed from the moment its key is pressed', async ({ page, world }) => {
  await open(page, world, '#/overview');
  const focused = await page.evaluate(() => {
    window.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true }),
    );
    return document.activeElement?.getAttribute('placeholder');
  });
  expect(focused).toContain('Fleet, player, session');
});

test('the palette does not come up late when its key is pressed while the program starts', async ({
  page,
  world,
}) => {
  let tell = () => {};
  const told = new Promise<void>((resolve) => (tell = resolve));
  await page.route(asked('app_state'), async (route) => {
    await told;
    await route.fallback();
  });
  await page.goto(`${world.origin}/#/overview`);
  await expect(starting(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  tell();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Overview/);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('Enter in the palette means what stands first, not the command that stood there before', async ({
  page,
  world,
}) => {
  await open(page, world, '#/overview');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('arena');
  const first = page.getByRole('option').first();
  await expect(first).toContainText(/arena-\w+-(eu|us|ap)/);
  await expect(first).toHaveAttribute('data-selected', '');
  const name = /arena-\w+-(eu|us|ap)/.exec(await first.innerText())?.[0] ?? '';
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});

test('the question mark lists the shortcuts', async ({ page, world }) => {
  await open(page, world, '#/overview');
  await page.keyboard.press('Shift+?');
  await expect(dialog(page)).toContainText('Keyboard shortcuts');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the slash goes into the search, completes a field and filters', async ({ page, world }) => {
  await open(page, world, '#/sessions');
  await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('playe');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search game sessions' })).toHaveValue(/^players?(:|>=)$/);
});

test('Tab accepts the first completion, and Enter without an arrow key changes nothing', async ({
  page,
  world,
}) => {
  await open(page, world, '#/sessions');
  const search = page.getByRole('combobox', { name: 'Search game sessions' });
  await search.fill('playe');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expect(search).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(search).toHaveValue('playe');
  await expect(search).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await page.keyboard.type('r');
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(search).toHaveValue(/^players?(:|>=)$/);
  await expect(search).toBeFocused();
});

test('a completion is taken by a click, and its values are offered next', async ({ page, world }) => {
  await open(page, world, '#/sessions');
  const search = page.getByRole('combobox', { name: 'Search game sessions' });
  await search.fill('stat');
  await page.getByRole('option', { name: /^status/ }).click();
  await expect(search).toHaveValue('status:');
  await expect(search).toBeFocused();
});

test('a filter, a sort and a range live in the address and come back after a reload', async ({
  page,
  world,
}) => {
  await open(page, world, '#/sessions?q=status%3Aterminated&sort=-players&last=7d');
  await expect(page.getByRole('combobox', { name: 'Search game sessions' })).toHaveValue('status:terminated');
  await expect(page.getByRole('columnheader', { name: /Players/ })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Search game sessions' })).toHaveValue('status:terminated');
});

test('thousands of rows are a few in the document', async ({ page, world }) => {
  await open(page, world, '#/sessions?q=+');
  const grid = page.getByRole('grid', { name: 'Game sessions' });
  await expect(grid).toBeVisible();
  await expect.poll(async () => Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(2_000);
  await grid.evaluate((element) => (element.scrollTop = element.scrollHeight / 2));
  await expect(grid.locator('[role=row][aria-rowindex="2"]')).toHaveCount(0);
  await expect(grid.locator('[role=row] .wait')).toHaveCount(0);
  expect(await grid.locator('[role=row]').count()).toBeLessThan(80);
});

test('one goes back by a key and by the button, and forward by a key', async ({ page, world }) => {
  await open(page, world, '#/fleets');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 60, y: 12 } });
  await expect(page).toHaveURL(/#\/fleets\/.+/);
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page).toHaveURL(/#\/fleets$/);
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page).toHaveURL(/#\/fleets\/.+/);
  await page.getByRole('button', { name: 'Previous screen' }).click();
  await expect(page).toHaveURL(/#\/fleets$/);
});
