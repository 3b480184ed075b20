/** GameLift's own search: a link sends nothing, mistakes are marked, results are listed. */
import { expect, type Page } from '@playwright/test';
import { judge } from './judge';
import { open, settled } from './screens';
import { test } from './world';

const search = (page: Page) => page.getByRole('button', { name: 'Search', exact: true });
const table = (page: Page) => page.getByRole('grid', { name: 'Game sessions' });

const filter = (page: Page) => page.getByRole('textbox', { name: 'Filter' });
const order = (page: Page) => page.getByRole('textbox', { name: 'Order' });

/** Selects the first fleet in the list. */
async function chooseFleet(page: Page): Promise<void> {
  const select = page.getByLabel('Fleet or alias');
  const first = await select.locator('optgroup[label=Fleets] option').first().getAttribute('value');
  await select.selectOption(first);
}

test('the switch leads to the question, and a search lists exactly what was found', async ({
  page,
  world,
}) => {
  await open(page, world, '#/sessions');
  await page.getByRole('radio', { name: 'Live search' }).check({ force: true });
  await expect(page.getByText('No search yet')).toBeVisible();
  await expect(search(page)).toBeDisabled();
  await chooseFleet(page);
  await page.getByRole('button', { name: 'With room' }).click();
  await expect(filter(page)).toHaveValue('hasAvailablePlayerSessions=true');
  await search(page).click();
  await expect(page.getByText(/asked \d\d:\d\d:\d\d UTC, \d+ found/)).toBeVisible();
  const said = /, ([\d ,]+) found/.exec(await page.locator('.asked').innerText())?.[1];
  await expect(page.locator('.bar b').first()).toHaveText(said?.trim() ?? '');
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toContainText('active');
  await judge(page);

  await filter(page).fill('playerSessionCount=0');
  await expect(page.getByText('search form changed since')).toBeVisible();
  await filter(page).fill('hasAvailablePlayerSessions=true');
  await expect(page.getByRole('button', { name: 'Search again' })).toBeEnabled();
});

test('a link brings the question and sends nothing until Enter or Search is pressed', async ({
  page,
  world,
}) => {
  await open(page, world, '#/sessions?ask=%20');
  await chooseFleet(page);
  await filter(page).fill('playerSessionCount=0');
  await order(page).fill('creationTimeMillis DESC');
  await expect(page).toHaveURL(/filter=playerSessionCount/);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/ask/session_search')) sent.push(request.url());
  });
  await page.reload();
  await expect(filter(page)).toHaveValue('playerSessionCount=0');
  await expect(order(page)).toHaveValue('creationTimeMillis DESC');
  await expect(page.getByText('No search yet')).toBeVisible();
  // All requests that the page sends by itself are sent once it has settled.
  await settled(page);
  expect(sent).toEqual([]);
  await expect(table(page)).toHaveCount(0);
  await order(page).press('Enter');
  await expect(page.getByText(/asked .* found/)).toBeVisible();
  expect(sent).toHaveLength(1);
});

test('a mistake is pointed at and keeps the question from being sent', async ({ page, world }) => {
  await open(page, world, '#/sessions?ask=%20');
  await chooseFleet(page);
  await filter(page).fill('players > 3');
  const problem = page.getByRole('status').filter({ hasText: 'GameLift searches' });
  await expect(problem).toBeVisible();
  await expect(problem.locator('pre')).toHaveText('^'.repeat('players'.length));
  await expect(filter(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(search(page)).toBeDisabled();
  await judge(page);
});

test.describe('on a world of its own', () => {
  test.use({ own: true });

  test('a refusal says what was refused, its code and request id, and can be sent again', async ({
    page,
    world,
  }) => {
    await open(page, world, '#/sessions?ask=%20');
    await chooseFleet(page);
    await world.faults({ operation: 'gamelift:SearchGameSessions', kind: 'status', status: 400 });
    await search(page).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText('RequestAbortedException');
    await expect(alert).toContainText(/[0-9a-f]{8}-[0-9a-f-]{27}/);
    await expect(alert).toContainText('SearchGameSessions of fleet-');
    await world.faults();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText(/asked .* found/)).toBeVisible();
  });

  test('a search that broke off shows what it found until then', async ({ page, world }) => {
    await open(page, world, '#/sessions?ask=%20');
    await chooseFleet(page);
    await world.faults({ operation: 'gamelift:SearchGameSessions', kind: 'status', status: 400, skip: 1 });
    await search(page).click();
    await expect(page.getByRole('alert')).toContainText('stopped early');
    await expect(page.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
  });
});

test('a link to a fleet this connection does not know says so', async ({ page, world }) => {
  await open(page, world, '#/sessions?ask=fleet-elsewhere');
  await expect(page.getByText('fleet-elsewhere is unknown to this connection.')).toBeVisible();
  await expect(search(page)).toBeDisabled();
});

test('nothing found says so', async ({ page, world }) => {
  await open(page, world, '#/sessions?ask=%20');
  await chooseFleet(page);
  await filter(page).fill('playerSessionCount=0');
  await search(page).click();
  await expect(page.getByText('No game sessions found')).toBeVisible();
});
