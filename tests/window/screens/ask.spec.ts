/** Asking GameLift's own search: nothing is sent by a link, mistakes are pointed at, what it finds is listed. */
import { expect, test, type Page } from '@playwright/test';
import { judge } from './judge';
import { open } from './screens';

const search = (page: Page) => page.getByRole('button', { name: 'Search', exact: true });
const table = (page: Page) => page.getByRole('grid', { name: 'Game sessions' });

const filter = (page: Page) => page.getByRole('textbox', { name: 'Filter' });
const order = (page: Page) => page.getByRole('textbox', { name: 'Order' });

/** Chooses the first fleet there is. */
async function chooseFleet(page: Page): Promise<void> {
  const select = page.getByLabel('Fleet or alias');
  const first = await select.locator('optgroup[label=Fleets] option').first().getAttribute('value');
  await select.selectOption(first);
}

test('the switch leads to the question, and a search lists exactly what was found', async ({ page }) => {
  await open(page, '#/sessions', 'still');
  await page.getByRole('radio', { name: 'Ask GameLift' }).check({ force: true });
  await expect(page.getByText('Nothing asked yet')).toBeVisible();
  await expect(search(page)).toBeDisabled();
  await chooseFleet(page);
  await page.getByRole('button', { name: 'With room' }).click();
  await expect(filter(page)).toHaveValue('hasAvailablePlayerSessions=true');
  await search(page).click();
  await expect(page.getByText(/asked \d\d:\d\d:\d\d UTC, \d+ found/)).toBeVisible();
  await expect(page.getByText('first 20 pages at most')).toBeVisible();
  const said = /, ([\d ,]+) found/.exec(await page.locator('.asked').innerText())?.[1];
  await expect(page.locator('.bar b').first()).toHaveText(said?.trim() ?? '');
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toContainText('active');
  await judge(page);

  await filter(page).fill('playerSessionCount=0');
  await expect(page.getByText('the question above has changed since')).toBeVisible();
  await filter(page).fill('hasAvailablePlayerSessions=true');
  await expect(page.getByRole('button', { name: 'Ask again' })).toBeEnabled();
});

test('a link brings the question and sends nothing until Enter or Search is pressed', async ({ page }) => {
  await open(page, '#/sessions?ask=%20', 'still');
  await chooseFleet(page);
  await filter(page).fill('playerSessionCount=0');
  await order(page).fill('creationTimeMillis DESC');
  await expect(page).toHaveURL(/filter=playerSessionCount/);
  await page.reload();
  await expect(filter(page)).toHaveValue('playerSessionCount=0');
  await expect(order(page)).toHaveValue('creationTimeMillis DESC');
  await expect(page.getByText('Nothing asked yet')).toBeVisible();
  await page.waitForTimeout(300);
  await expect(table(page)).toHaveCount(0);
  await order(page).press('Enter');
  await expect(page.getByText(/asked .* found/)).toBeVisible();
});

test('a mistake is pointed at and keeps the question from being sent', async ({ page }) => {
  await open(page, '#/sessions?ask=%20', 'still');
  await chooseFleet(page);
  await filter(page).fill('players > 3');
  const problem = page.getByRole('status').filter({ hasText: 'GameLift searches' });
  await expect(problem).toBeVisible();
  await expect(problem.locator('pre')).toHaveText('^'.repeat('players'.length));
  await expect(filter(page)).toHaveAttribute('aria-invalid', 'true');
  await expect(search(page)).toBeDisabled();
  await judge(page);
});

test('a refusal says code, request id and what to do, and can be sent again', async ({ page }) => {
  await open(page, '#/sessions?ask=%20', 'still,refusedSearch');
  await chooseFleet(page);
  await search(page).click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('InvalidRequestException');
  await expect(alert).toContainText('5e1c7a52');
  await expect(alert).toContainText('Correct the filter');
  await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('a search that broke off shows what it found until then', async ({ page }) => {
  await open(page, '#/sessions?ask=%20', 'still,brokenSearch');
  await chooseFleet(page);
  await search(page).click();
  await expect(page.getByRole('alert')).toContainText('broke off');
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
});

test('a link to a fleet this connection does not know says so', async ({ page }) => {
  await open(page, '#/sessions?ask=fleet-elsewhere', 'still');
  await expect(page.getByText('fleet-elsewhere is not known to this connection.')).toBeVisible();
  await expect(search(page)).toBeDisabled();
});

test('nothing found says so', async ({ page }) => {
  await open(page, '#/sessions?ask=%20', 'still');
  await chooseFleet(page);
  await filter(page).fill('playerSessionCount=0');
  await search(page).click();
  await expect(page.getByText('GameLift found no game session')).toBeVisible();
});
