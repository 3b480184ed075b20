/** The chosen range holds for what a screen lists, a past range shows the past, and the present offers no range. */
import { expect, type Page } from '@playwright/test';
import { open } from './screens';
import { liveRange, test, type World } from './world';

/** When the frozen world stands still, and hours before it. */
const now = Date.UTC(2026, 2, 10, 18);
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
const between = (from: number, to: number) => `from=${ago(from)}&to=${ago(to)}`;

const listed = async (page: Page, world: World, address: string): Promise<number> => {
  await open(page, world, address);
  const grid = page.getByRole('grid', { name: 'Game sessions' });
  await expect(grid.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
  return Number(await grid.getAttribute('aria-rowcount')) - 1;
};

test('game sessions are those that ran in the range', async ({ page, world }) => {
  const day = await listed(page, world, '?1#/sessions?q=+&last=24h');
  const asked = page.waitForRequest('**/ask/session_list');
  const quarter = await listed(page, world, '?2#/sessions?q=+&last=15m');
  expect(quarter).toBeLessThan(day);
  await expect(page.getByText('ran in the last 15 min')).toBeVisible();
  const { query } = (await asked).postDataJSON() as {
    query: { range: { from: number; to: number } };
  };
  expect(query.range.to - query.range.from).toBe(15 * 60_000);
});

test('a past range lists what ran then, ended or not, and none is offered that reaches no further', async ({
  page,
  world,
}) => {
  const past = await listed(page, world, `?1#/sessions?${between(3, 2)}`);
  expect(past).toBeGreaterThan(0);
  await expect(page.getByRole('combobox', { name: 'Search game sessions' })).toHaveValue('');
  await open(page, world, '?2#/sessions?q=name:nothing-is-called-so&last=15m');
  await expect(page.getByText('No game sessions match in the last 15 min')).toBeVisible();
  await page.getByRole('button', { name: 'Search the last 30 d' }).click();
  await expect(page.getByText('No game sessions match in the last 30 d')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Search the last/ })).toHaveCount(0);
});

test('fleets of a past range have the figures of its end, and say so', async ({ page, world }) => {
  await open(page, world, '?1#/fleets');
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
  await expect(page.getByText('figures of')).toHaveCount(0);
  await open(page, world, `?2#/fleets?${between(3, 2)}`);
  await expect(page.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
  await expect(page.getByText('figures of')).toContainText('16:00');
});

/** The figure of the Overview with this title. */
const figure = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Figures' }).getByRole('link', { name: title }).locator('strong');

type Shown = {
  figuresAt: number | null;
  kpis: { key: string; value: number | null; unknownFleets: number }[];
  heat: { name: string; gameSessions: number | null }[];
};

test('the Overview of a past range is of its end and agrees with the fleets then', async ({
  page,
  world,
}) => {
  const range = { from: now - 3 * 3_600_000, to: now - 2 * 3_600_000 };
  const then = await world.ask<Shown>('overview_get', { range });
  const present = await world.ask<Shown>('overview_get', { range: liveRange });
  expect([then.figuresAt, present.figuresAt]).toEqual([range.to, null]);
  const sessions = then.kpis.find((kpi) => kpi.key === 'activeSessions');
  expect(sessions?.value).toBeGreaterThan(0);
  expect(sessions?.value).not.toBe(present.kpis.find((kpi) => kpi.key === 'activeSessions')?.value);
  expect(then.heat).not.toEqual(present.heat);

  await open(page, world, `?1#/overview?${between(3, 2)}`);
  const written = (sessions?.value ?? NaN).toLocaleString('en-US');
  await expect(figure(page, 'Active sessions')).toHaveText(written);
  // Beside the title, and beside the heat table.
  await expect(page.getByText('figures of')).toHaveText([/16:00/, /16:00/]);
  const [row] = then.heat.filter((one) => (one.gameSessions ?? 0) > 0);
  const heat = page.getByRole('row').filter({ has: page.getByTitle(row?.name ?? '', { exact: true }) });
  await expect(heat.getByRole('cell').last()).toHaveText((row?.gameSessions ?? NaN).toLocaleString('en-US'));
  // The world was first looked at long after: nobody would have seen what was wrong.
  await expect(page.getByText('No alert is known of this range')).toContainText('Nothing was collected from');
  await expect(page.getByText('Nothing needs attention')).toHaveCount(0);
  await expect(page.getByText(/Regions? fresh/)).toHaveCount(0);

  await open(page, world, `?2#/fleets?${between(3, 2)}`);
  await expect(page.locator('header').getByText(`${written} sessions`)).toBeVisible();
});

test.describe('a bad build', () => {
  test.use({ wanted: { scenario: 'bad-build' } });

  test('an alert stands with the ranges in which it was open, and nowhere else in the past', async ({
    page,
    world,
  }) => {
    type Found = { alerts: { rule: string; since: number; title: string }[] };
    const crashes = async () =>
      (await world.ask<Found>('overview_get', { range: liveRange })).alerts.find(
        (alert) => alert.rule === 'crashes',
      );
    await expect.poll(crashes).toBeDefined();
    const { since, title } = (await crashes())!;
    const at = (ms: number) => new Date(since + ms).toISOString();
    const card = page.getByRole('article', { name: title });
    await open(page, world, `?1#/overview?from=${at(-1_800_000)}&to=${at(60_000)}`);
    await expect(card).toContainText('still fires');
    await open(page, world, `?2#/overview?from=${at(-7_200_000)}&to=${at(-60_000)}`);
    await expect(page.getByText('No alert is known of this range')).toBeVisible();
    await expect(card).toHaveCount(0);
    // What fires now is told under "Now", whatever range is chosen.
    await open(page, world, `?3#/alerts?from=${at(-7_200_000)}&to=${at(-60_000)}`);
    await expect(card).toBeVisible();
  });
});

test('a range is offered only where something depends on it', async ({ page, world }) => {
  const chip = page.getByRole('button', { name: 'Time range' });
  for (const [address, ranged] of [
    ['#/overview', true],
    ['#/fleets', true],
    ['#/sessions', true],
    ['#/placements', true],
    ['#/placements/time', true],
    ['#/matchmaking/tickets', true],
    ['#/matchmaking/time', true],
    ['#/placements/queues', false],
    ['#/players', false],
    ['#/aliases', false],
    ['#/settings', false],
  ] as const) {
    await open(page, world, address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(chip, address).toHaveCount(ranged ? 1 : 0);
  }
});
