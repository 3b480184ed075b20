/** Matchmaking: configurations with their rules, tickets by state, a test ticket, answers, a backfill, stopping. */
import { expect, test } from '@playwright/test';
import { judge } from './judge';
import { dialog, open } from './screens';

test('a chosen configuration shows its rule set so that it can be read', async ({ page }) => {
  await open(page, '#/matchmaking');
  const grid = page.getByRole('grid', { name: 'Matchmaking configurations' });
  await grid.getByText('coop-4').click();
  await expect(page.getByLabel('Body of rule set coop-4-rules')).toContainText('"name": "heroes"');
  await expect(page).toHaveURL(/configuration=eu-west-1%2Fcoop-4/);
});

test('a state leads to the tickets in it', async ({ page }) => {
  await open(page, '#/matchmaking');
  await page.getByRole('link', { name: /asks for acceptance/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tickets');
  await expect(page.getByLabel('State')).toHaveValue('REQUIRES_ACCEPTANCE');
  await expect(page.getByRole('grid', { name: 'Tickets' })).toContainText('ticket-proposed');
});

test('a test ticket is filled in from the rule set, checked, sent and followed', async ({ page }) => {
  await open(page, '#/matchmaking', 'operator');
  await page.getByRole('button', { name: 'Start a test ticket…' }).click();
  const form = dialog(page, 'Start a test ticket');
  await expect(form.getByLabel('Attribute 1 of player 1', { exact: true })).toHaveValue('skill');
  await form.getByLabel('Value of attribute 1 of player 1').fill('good');
  await expect(form).toContainText('A number is wanted.');
  await expect(form.getByRole('button', { name: 'Review…' })).toBeDisabled();
  await form.getByLabel('Value of attribute 1 of player 1').fill('1200');
  await form.getByRole('button', { name: 'Latency' }).click();
  await form.getByLabel('Milliseconds of latency 1 of player 1').fill('32');
  await form.getByRole('button', { name: 'Add a player' }).click();
  await form.getByRole('button', { name: 'Review…' }).click();
  const review = dialog(page, 'Start a matchmaking ticket');
  await review.getByLabel(/To confirm, type/).fill('arena-prod');
  await review.getByRole('button', { name: 'Start ticket' }).click();
  await expect(page).toHaveURL(/#\/matchmaking\/tickets\/eu-west-1\/liftdeck-/);
  await expect(page.getByText('searching', { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a proposed match is rejected as the players who are ticked', async ({ page }) => {
  await open(page, '#/matchmaking/tickets/eu-west-1/ticket-proposed', 'operator');
  const tick = page.getByRole('checkbox');
  await expect(tick).toHaveCount(1);
  await tick.uncheck();
  await expect(page.getByRole('button', { name: 'Reject…' })).toBeDisabled();
  await tick.check();
  await page.getByRole('button', { name: 'Reject…' }).click();
  const review = dialog(page);
  await review.getByLabel(/To confirm, type/).fill('arena-prod');
  await review.getByRole('button', { name: 'Send answer' }).click();
  await expect(review).toContainText('GameLift accepted it');
  await review.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('rejected', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accept…' })).toHaveCount(0);
});

test('the backfill of a game session takes its players from the game session', async ({ page }) => {
  await open(page, '#/sessions');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await page.getByRole('link', { name: 'Backfill…' }).click();
  const form = dialog(page, 'Start a backfill');
  await expect(form.getByLabel('Game session (ARN)')).toHaveValue(/^arn:aws:gamelift:/);
  await expect(form).toContainText('taken from the game session');
  await expect(form.getByLabel('Team of player 1')).toHaveValue('red');
  await form.getByLabel('Game session (ARN)').fill('arn:aws:gamelift:eu-west-1::gamesession/fleet-1/none');
  await form.getByRole('button', { name: 'Take its players' }).click();
  await expect(form).toContainText('No game session with this ARN is known here.');
});

test('an event opens the ticket it is about', async ({ page }) => {
  await open(page, '#/matchmaking/events');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ticket');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tickets');
});

for (const colorScheme of ['dark', 'light'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme });
    test('a ticket and the form of one are accessible', async ({ page }) => {
      await open(page, '#/matchmaking/tickets/eu-west-1/ticket-proposed');
      await expect(page.getByRole('button', { name: 'Accept…' })).toBeVisible();
      await judge(page);
      await open(page, '#/matchmaking?start=backfill');
      await expect(dialog(page, 'Start a backfill')).toBeVisible();
      await judge(page);
    });
  });
}
