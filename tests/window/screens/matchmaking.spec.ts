/**
 * Matchmaking: configurations with their rules, tickets by state, a test ticket, acceptance, backfill,
 * stopping.
 */
import { expect } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { test, type World } from './world';

const region = 'eu-west-1';

/** Starts two parties of five, as the game's backend would, which GameLift proposes to match. */
async function propose(world: World): Promise<void> {
  for (const team of ['red', 'blue']) {
    const Players = [1, 2, 3, 4, 5].map((number) => ({
      PlayerId: `${team}-${number}`, PlayerAttributes: { skill: { N: 1000 } }, LatencyInMs: { [region]: 20 },
    })); // prettier-ignore
    await world.aws(region, 'StartMatchmaking', {
      ConfigurationName: 'arena-ranked-eu',
      TicketId: `ticket-${team}`,
      Players,
    });
  }
  await world.advance(1);
}

test('a chosen configuration shows its rule set so that it can be read', async ({ page, world }) => {
  await open(page, world, '#/matchmaking');
  const grid = page.getByRole('grid', { name: 'Matchmaking configurations' });
  await grid.getByText('arena-ranked-eu').click();
  await expect(page.getByLabel('Body of rule set arena-5v5')).toContainText('"name": "blue"');
  await expect(page).toHaveURL(/configuration=eu-west-1%2Farena-ranked-eu/);
});

test('the backfill of a game session takes its players from the game session', async ({ page, world }) => {
  await open(page, world, '#/sessions?q=status%3Aactive+fleet%3Aarena-prod-ap');
  await page
    .locator('[role=row]', { hasText: 'arena ranked' })
    .first()
    .click({ position: { x: 40, y: 12 } });
  await page.getByRole('link', { name: 'Backfill…' }).click();
  const form = dialog(page, 'Start a backfill');
  await expect(form.getByLabel('Game session (ARN)')).toHaveValue(/^arn:aws:gamelift:/);
  await expect(form).toContainText('from the game session');
  await expect(form.getByLabel('Team of player 1', { exact: true })).toHaveValue(/^(red|blue)$/);
  await form.getByLabel('Game session (ARN)').fill('arn:aws:gamelift:eu-west-1::gamesession/fleet-1/none');
  await form.getByRole('button', { name: 'Load its players' }).click();
  await expect(form).toContainText('Unknown game session ARN.');
});

test('an event opens the ticket it is about', async ({ page, world }) => {
  await open(page, world, '#/matchmaking/events');
  await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 40, y: 12 } });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ticket');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tickets');
});

test.describe('unlocked', () => {
  test.use({ unlocked: true });

  test('a state leads to the tickets in it', async ({ page, world }) => {
    await propose(world);
    await open(page, world, '#/matchmaking');
    await page.getByRole('link', { name: /awaiting acceptance/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tickets');
    await expect(page.getByLabel('State')).toHaveValue('REQUIRES_ACCEPTANCE');
    await expect(page.getByRole('grid', { name: 'Tickets' })).toContainText('ticket-red');
  });

  test('a test ticket is filled in from the rule set, checked, sent and followed', async ({
    page,
    world,
  }) => {
    await open(page, world, '#/matchmaking?configuration=ap-northeast-1%2Farena-ranked-ap');
    await page.getByRole('button', { name: 'Start a test ticket…' }).click();
    const form = dialog(page, 'Start a test ticket');
    await expect(form.getByLabel('Attribute 1 of player 1', { exact: true })).toHaveValue('skill');
    await form.getByLabel('Value of attribute 1 of player 1').fill('good');
    await expect(form).toContainText('Enter a number.');
    await expect(form.getByRole('button', { name: 'Review…' })).toBeDisabled();
    await form.getByLabel('Value of attribute 1 of player 1').fill('1200');
    await form.getByRole('button', { name: 'Latency' }).click();
    await form.getByLabel('Milliseconds of latency 1 of player 1').fill('32');
    // The rule set has no default platform, and GameLift does not accept an empty text.
    await expect(form).toContainText('This may not be empty.');
    await form.getByLabel('Value of attribute 2 of player 1').fill('pc');
    await form.getByRole('button', { name: 'Review…' }).click();
    const review = dialog(page, 'Start a ticket for arena-ranked-ap');
    await review.getByLabel(/To confirm, type/).fill('arena-prod');
    await review.getByRole('button', { name: 'Start ticket' }).click();
    await expect(page).toHaveURL(/#\/matchmaking\/tickets\/ap-northeast-1\/liftdeck-/);
    await expect(page.getByText(/^(queued|searching)$/)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('a proposed match is rejected as the players who are ticked', async ({ page, world }) => {
    await propose(world);
    await open(page, world, '#/matchmaking/tickets/eu-west-1/ticket-red');
    const tick = page.getByRole('checkbox');
    await expect(tick).toHaveCount(5);
    for (const one of await tick.all()) await one.uncheck();
    await expect(page.getByRole('button', { name: 'Reject…' })).toBeDisabled();
    await tick.first().check();
    await page.getByRole('button', { name: 'Reject…' }).click();
    const review = dialog(page);
    await review.getByLabel(/To confirm, type/).fill('arena-prod');
    await review.getByRole('button', { name: 'Send answer' }).click();
    await expect(review).toContainText('GameLift accepted it');
    await review.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByText('A player of the ticket did not accept the match.').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Accept…' })).toHaveCount(0);
  });
});

test.describe('on a world of its own', () => {
  test.use({ own: true });
  test('a ticket and the form of one are accessible in both themes', async ({ page, world }) => {
    await propose(world);
    await open(page, world, '#/matchmaking/tickets/eu-west-1/ticket-red');
    await expect(page.getByRole('button', { name: 'Accept…' })).toBeVisible();
    await judgeBothThemes(page);
    await open(page, world, '#/matchmaking?start=backfill');
    await expect(dialog(page, 'Start a backfill')).toBeVisible();
    await judgeBothThemes(page);
  });
});
