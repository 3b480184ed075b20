/**
 * What the screens say of alerts: since when, why, and nothing good without data. The four laws: no data is never good
 * news; "since" is a moment; one question has one answer; nothing moves under the hand.
 */
import { expect, type Page } from '@playwright/test';
import { judge } from './judge';
import { open } from './screens';
import { liveRange, test, type World } from './world';

type Alert = { title: string; since: number; state: string; rule: string };

/** In the evening a fleet may have little room, which is no alert. */
const calm = /Nothing needs attention\.|No alert fires, but \d+ fleets? (has|have) little room\./;

const firing = async (world: World, rule: string): Promise<Alert | undefined> => {
  const { alerts } = await world.ask<{ alerts: Alert[] }>('overview_get', { range: liveRange });
  return alerts.find((alert) => alert.rule === rule && alert.state === 'firing');
};

/** Waits until an alert of the rule fires. */
async function fires(world: World, rule: string): Promise<Alert> {
  await expect.poll(async () => (await firing(world, rule))?.rule).toBe(rule);
  return (await firing(world, rule))!;
}

const card = (page: Page, title: RegExp) => page.getByRole('article', { name: title });

test.describe('a bad build', () => {
  test.use({ wanted: { scenario: 'bad-build', operate: true, speed: 1 }, own: true });

  test('says what is wrong, since when and why, and keeps the moment', async ({ page, world }) => {
    const alert = await fires(world, 'crashes');
    await open(page, world, '#/overview');
    const shown = card(page, /on arena-prod-eu-green crashed/);
    await expect(shown).toContainText(
      'alias arena-live-eu repointed → arena-prod-eu-green, by alice in the console',
    );
    await expect(shown).toContainText('since');
    await judge(page);

    const since = await shown.getByRole('time').first().getAttribute('title');
    for (const address of ['#/overview?last=15m', '#/alerts', '#/overview?last=7d']) {
      await open(page, world, address);
      await expect(
        card(page, /on arena-prod-eu-green crashed/)
          .getByRole('time')
          .first(),
      ).toHaveAttribute('title', since ?? '');
    }
    expect((await firing(world, 'crashes'))?.since).toBe(alert.since);

    await card(page, /on arena-prod-eu-green crashed/)
      .getByRole('button', { name: /Acknowledge/ })
      .click();
    await expect(card(page, /on arena-prod-eu-green crashed/)).toContainText('acknowledged');
  });

  test('counts on the rail what the screens show, and marks the fleet', async ({ page, world }) => {
    await fires(world, 'crashes');
    await open(page, world, '#/overview');
    await expect(card(page, /on arena-prod-eu-green crashed/)).toBeVisible();
    const rail = page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /Alerts/ });
    await expect(async () => {
      const cards = await page.getByRole('article').count();
      await expect(rail).toContainText(String(cards), { timeout: 1_000 });
    }).toPass();
    await expect(page).toHaveTitle(/^\(\d+\) Overview · /);
    const row = page.getByRole('row').filter({ hasText: 'arena-prod-eu-green' });
    await expect(row.getByRole('img', { name: 'bad' })).toBeVisible();
  });
});

test.describe('a quiet day', () => {
  test.use({ wanted: { scenario: 'quiet', speed: 1 }, own: true });

  test('is called well once everything was read and judged, and no longer once nothing answers', async ({
    page,
    world,
  }) => {
    await open(page, world, '#/overview');
    await expect(page.getByText(calm)).toBeVisible();
    await world.faults({ operation: '*', kind: 'reset' });
    await expect(card(page, /No data: Liftdeck cannot tell whether the game is well/)).toBeVisible();
    await expect(page.getByText(calm)).toHaveCount(0);
    for (const address of ['#/alerts', '#/overview']) {
      await open(page, world, address);
      await expect(card(page, /No data/)).toBeVisible();
      await expect(page.getByText(calm)).toHaveCount(0);
    }
    await world.faults();
    await expect(card(page, /No data/)).toHaveCount(0);
    await expect(page.getByText(calm)).toBeVisible();
  });
});
