/**
 * What every table guarantees: complete columns in the smallest window, ids cut in the middle, selectable
 * columns.
 */
import { expect, type Page } from '@playwright/test';
import { dialog, fleetTabs, open, openFleet, openTab, screens, settled } from './screens';
import { test } from './world';

/** How much wider the visible tables are than their containers, in pixels, by name. */
const sideways = (page: Page) =>
  page
    .locator('[role=grid]')
    .evaluateAll((grids) =>
      grids
        .map((grid) => [grid.getAttribute('aria-label'), grid.scrollWidth - grid.clientWidth] as const)
        .filter(([, pixels]) => pixels > 0),
    );
/** The last hours of the world. */
const range = { from: Date.UTC(2026, 2, 10, 15), to: Date.UTC(2026, 2, 10, 18) };
const titles = (page: Page) => page.getByRole('columnheader').allInnerTexts();

test.describe('in the smallest window', () => {
  test.use({ viewport: { width: 1024, height: 700 } });
  test('no table of a screen hides a column at its right', async ({ page, world }) => {
    for (const screen of screens) {
      await open(page, world, screen.address);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
      await settled(page);
      await expect.poll(() => sideways(page), screen.name).toEqual([]);
    }
  });
  test('nor does one beside what is chosen of it', async ({ page, world }) => {
    for (const screen of screens.filter((one) => ['aliases', 'builds', 'scripts'].includes(one.name))) {
      await open(page, world, screen.address);
      await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
      await expect(page.locator('main aside')).toBeVisible();
      await expect.poll(() => sideways(page)).toEqual([]);
    }
  });
  test('nor one of a fleet, of a game session, of a placement', async ({ page, world }) => {
    const fleet = await openFleet(page, world);
    for (const tab of fleetTabs) {
      await openTab(page, world, fleet, tab);
      await expect.poll(() => sideways(page)).toEqual([]);
    }
    for (const list of ['#/sessions', '#/placements']) {
      await page.goto(`${world.origin}/${list}`);
      await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
      await expect(page.getByText(/Connection|History/).first()).toBeVisible();
      await expect.poll(() => sideways(page)).toEqual([]);
    }
  });
});

test('a column comes and goes as one chooses, and the choice lasts', async ({ page, world }) => {
  await open(page, world, '#/sessions');
  await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible();
  await settled(page);
  expect(await titles(page)).not.toContain('Compute');
  await page.getByRole('button', { name: 'Columns of Game sessions' }).click();
  await page.getByRole('checkbox', { name: 'Compute' }).check();
  await page.getByRole('checkbox', { name: 'Location' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('columnheader', { name: 'Compute' })).toBeVisible();
  await settled(page);
  expect(await titles(page)).not.toContain('Location');
  await page.getByRole('button', { name: 'Columns of Game sessions' }).click();
  await page.getByRole('button', { name: 'Show what fits' }).click();
  await expect(page.getByRole('columnheader', { name: 'Location' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Compute' })).toHaveCount(0);
});

test('a long id keeps its last characters in sight and its whole self in the document', async ({
  page,
  world,
}) => {
  await open(page, world, '#/placements');
  const id = page.locator('[role=row][aria-rowindex="2"]').getByRole('button').first();
  await expect(id).toHaveText(/^plc-[0-9a-f]{8}-[0-9a-f-]{27}$/);
  const tail = id.locator('.tail');
  await settled(page);
  const [cell, end] = await Promise.all([
    page.locator('[role=row][aria-rowindex="2"] [role=gridcell]').nth(2).boundingBox(),
    tail.boundingBox(),
  ]);
  expect((end?.x ?? Infinity) + (end?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0));
});

test.describe('after a change', () => {
  test.use({ unlocked: true, viewport: { width: 1024, height: 700 } });
  test('what a column cuts is whole in its tooltip, and what it does not cut has none', async ({
    page,
    world,
  }) => {
    const aliases = await world.ask<{ aliasId: string; name: string }[]>('alias_list');
    const fleets = await world.ask<{ rows: { fleetId: string; name: string }[] }>('fleet_list', { range });
    const alias = aliases.find((one) => one.name === 'arena-live-ap');
    const fleet = fleets.rows.find((one) => one.name === 'arena-prod-ap-blue');
    if (!alias || !fleet) throw new Error('The world has neither the alias nor the fleet.');
    const routing = { simple: { fleet_id: fleet.fleetId } };
    await world.change('ap-northeast-1', {
      operation: 'UpdateAlias', aliasId: alias.aliasId, name: null, description: null, routing,
    }); // prettier-ignore
    await open(page, world, '#/activity');
    const cell = (column: number) =>
      page.locator('[role=row][aria-rowindex="2"] [role=gridcell]').nth(column);
    await expect(cell(3)).toBeVisible();
    await settled(page);
    await cell(3).hover();
    await expect(cell(3)).toHaveAttribute('title', /arena-prod-ap.* → arena-prod-ap-blue/);
    await cell(1).hover({ position: { x: 4, y: 4 } });
    await expect(cell(1)).not.toHaveAttribute('title', /./);
    // No column is hidden beside the selected row's details either.
    await cell(0).click();
    await expect(page.locator('main aside')).toBeVisible();
    await expect.poll(() => sideways(page)).toEqual([]);
  });
});

test('names that begin alike stay apart where the column is narrow', async ({ page, world }) => {
  await open(page, world, '#/fleets');
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
  await settled(page);
  await page.locator('[role=columnheader] .handle').nth(1).hover();
  await page.mouse.down();
  await page.mouse.move(400, 110);
  await page.mouse.up();
  const name = page
    .locator('[role=row]', { hasText: 'arena-prod-us' })
    .first()
    .locator('[role=gridcell]')
    .nth(1);
  const tail = name.locator('.tail');
  await expect(tail).toHaveText('rod-us');
  await settled(page);
  const [cell, end] = await Promise.all([name.boundingBox(), tail.boundingBox()]);
  expect(cell?.width ?? 0).toBeLessThan(120);
  expect((end?.x ?? Infinity) + (end?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0));
});

test('a click on the name in a row goes where it leads, one beside it means the row', async ({
  page,
  world,
}) => {
  await open(page, world, '#/sessions');
  const fleet = page.locator('[role=row][aria-rowindex="2"] [role=gridcell]', {
    has: page.locator('a.link'),
  });
  await expect(fleet).toBeVisible();
  await settled(page);
  const width = (await fleet.boundingBox())?.width ?? 0;
  await fleet.click({ position: { x: width - 6, y: 12 } });
  await expect(page).toHaveURL(/#\/sessions\//);
  await page.goBack();
  await fleet.click({ position: { x: 24, y: 12 } });
  await expect(page).toHaveURL(/#\/fleets\//);
});

test('a key that searches does nothing behind a dialog', async ({ page, world }) => {
  await open(page, world, '#/fleets');
  await page.keyboard.press('Shift+?');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).not.toBeFocused();
});

for (const [width, height] of [
  [1024, 700],
  [1440, 900],
  [2560, 1440],
] as const) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height } });
    test('a fleet shows its name and its maximum whole', async ({ page, world }) => {
      await open(page, world, '#/fleets');
      await expect(page.locator('[role=row][aria-rowindex="3"]')).toBeVisible();
      await settled(page);
      const cut = await page.locator('[role=grid] [role=row]').evaluateAll((rows) => {
        const titles = [...(rows[0]?.children ?? [])].map((cell) => cell.textContent.trim());
        const wanted = ['Fleet', 'Instances'].map((title) =>
          titles.findIndex((one) => one.startsWith(title)),
        );
        return rows.slice(1).flatMap((row) =>
          wanted
            .map((at) => row.children[at] as HTMLElement)
            .filter((cell) =>
              [cell, ...cell.querySelectorAll('.cut')].some((one) => one.scrollWidth > one.clientWidth + 1),
            )
            .map((cell) => cell.textContent.trim()),
        );
      });
      expect(cut).toEqual([]);
    });
  });
}

/** The columns of the visible tables that cut a text while another column of the same table stays mostly empty. */
const cutBesideRoom = (page: Page) =>
  page.locator('[role=grid]').evaluateAll((grids) => {
    /** More than this, in every row, is room that a cut text should have had. */
    const idle = 200;
    return grids.flatMap((grid) => {
      const [head, ...rows] = [...grid.querySelectorAll('[role=row]:not(.none)')];
      const columns = [...(head?.children ?? [])].map((title, at) => {
        const cells = rows.map((row) => row.children[at]).filter((cell) => cell instanceof HTMLElement);
        const roomIn = (cell: HTMLElement, drawn: readonly DOMRect[]) => {
          const { paddingLeft, paddingRight } = getComputedStyle(cell);
          const inside = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
          const ends = drawn.filter((one) => one.width > 0).flatMap((one) => [one.left, one.right]);
          return ends.length === 0 ? inside : inside - (Math.max(...ends) - Math.min(...ends));
        };
        const written = (cell: HTMLElement) => {
          const texts = document.createNodeIterator(cell, NodeFilter.SHOW_TEXT);
          const drawn: DOMRect[] = [];
          for (let text = texts.nextNode(); text; text = texts.nextNode()) {
            const content = document.createRange();
            content.selectNode(text);
            drawn.push(...content.getClientRects());
          }
          return drawn;
        };
        const images = (cell: HTMLElement) =>
          [...cell.querySelectorAll('svg, i, input')].map((one) => one.getBoundingClientRect());
        const isCut = (cell: HTMLElement) =>
          roomIn(cell, written(cell)) < -0.5 ||
          [...cell.querySelectorAll('.cut')].some((one) => one.scrollWidth > one.clientWidth + 1);
        const room = Math.min(...cells.map((cell) => roomIn(cell, [...written(cell), ...images(cell)])));
        const example = cells.find(isCut)?.textContent.trim();
        return { title: title.textContent.trim(), example, room };
      });
      const isIdle = columns.some((column) => column.room > idle);
      const cut = columns.filter((column) => column.example !== undefined);
      return isIdle ? cut.map(({ title, example }) => `${grid.ariaLabel}: ${title}: ${example}`) : [];
    });
  });

test.describe('in a wide window', () => {
  test.use({ viewport: { width: 2560, height: 1440 } });
  test('no table cuts an id, an address or another text beside empty room', async ({ page, world }) => {
    const rows = page.locator('[role=row][aria-rowindex="2"] [role=gridcell]').nth(2);
    for (const screen of screens) {
      await open(page, world, screen.address);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
      await settled(page);
      if (['sessions', 'placements', 'tickets'].includes(screen.name)) await expect(rows).not.toBeEmpty();
      expect.soft(await cutBesideRoom(page), screen.name).toEqual([]);
    }
    const fleet = await openFleet(page, world);
    for (const tab of fleetTabs) {
      await openTab(page, world, fleet, tab);
      expect.soft(await cutBesideRoom(page), tab).toEqual([]);
    }
  });
});
