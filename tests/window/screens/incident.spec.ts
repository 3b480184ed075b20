/**
 * The page of an incident: one story with the figures of the Overview, an offered action that is only an offer, files
 * that need nothing beside them, and a time of its own.
 */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { Incident } from '../../../ui/src/host/bindings.gen';
import { judge, judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { alter, liveRange, refuse, test, type World } from './world';

type Alert = {
  id: string;
  rule: string;
  title: string;
  fleetId: string;
  who: { players: number | null } | null;
};

const alerts = async (world: World): Promise<Alert[]> =>
  (await world.ask<{ alerts: Alert[] }>('overview_get', { range: liveRange })).alerts;

/** Waits until an alert of the rule fires. */
async function fires(world: World, rule: string): Promise<Alert> {
  const found = async () => (await alerts(world)).find((one) => one.rule === rule);
  await expect.poll(async () => (await found())?.rule).toBe(rule);
  return (await found())!;
}

const card = (page: Page, title: RegExp) => page.getByRole('article', { name: title });
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).first();

test.describe('a bad build', () => {
  test.use({ wanted: { scenario: 'bad-build', operate: true, environment: 'development' } });

  test('is one click from the Overview, with the same figures, in both themes', async ({ page, world }) => {
    const alert = await fires(world, 'crashes');
    await open(page, world, '#/overview');
    const shown = card(page, /on arena-prod-eu-green crashed/);
    await expect(shown).toContainText('Point arena-live-eu back to arena-prod-eu');
    await judge(page);
    await shown.getByRole('link', { name: alert.title, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: alert.title })).toBeVisible();
    const [failed = ''] = alert.title.split(' ');
    await expect(part(page, 'Who is hit')).toContainText(failed);
    await expect(page.getByText('Sessions that crashed', { exact: true }).first()).toBeVisible();
    await expect(part(page, 'Timeline')).toContainText('First session failed');
    await expect(part(page, 'Timeline')).toContainText('likely cause');
    await judgeBothThemes(page);
    await page.goBack();
    await expect(shown).toBeVisible();
  });

  test('leads to the report of the collector when that is what the alert is about', async ({
    page,
    world,
  }) => {
    const alert = await fires(world, 'crashes');
    await alter(page, 'incident_get', (incident: Incident) => ({
      ...incident,
      alert: { ...incident.alert, facts: { ...incident.alert?.facts, target: { kind: 'health' } } },
    }));
    await open(page, world, '#/overview');
    await page.getByRole('link', { name: `Open: ${alert.title}` }).click();
    await page.getByRole('button', { name: 'Health', exact: true }).click();
    await expect(page.getByLabel(/^Collector health/).last()).toContainText('Event queue');
  });

  test('gives the players who are hit as a list to copy, all at once and each alone', async ({
    page,
    world,
  }) => {
    const alert = await fires(world, 'crashes');
    // What is copied is kept by the page: a browser of a test may have no clipboard.
    await page.addInitScript(() => {
      const writeText = (text: string) =>
        Promise.resolve(void document.body.setAttribute('data-copied', text));
      Object.defineProperty(navigator, 'clipboard', { value: { writeText } });
    });
    const copied = async () => (await page.locator('body').getAttribute('data-copied')) ?? '';
    await open(page, world, `#/alerts/${alert.id}`);
    const grid = part(page, 'Who is hit').getByRole('grid');
    await expect(grid.locator('[role=row][aria-rowindex="2"]')).toBeVisible();
    await part(page, 'Who is hit')
      .getByRole('button', { name: /^Copy (all [\d,]+ ids|the id)$/ })
      .click();
    // The message goes by itself, so it is read once.
    const told = await page.getByText(/^[\d,]+ player ids? copied$/).innerText();
    const ids = (await copied()).split('\n');
    expect(Number(told.replaceAll(/\D/g, ''))).toBe(ids.length);
    expect(new Set(ids).size).toBe(ids.length);
    const { rows } = await world.ask<{ rows: { playerId: string }[] }>('incident_players', {
      of: { kind: 'alert', id: alert.id },
      page: { offset: 0, limit: 1_000 },
    });
    const listed = rows.map((row) => row.playerId);
    expect(listed).toEqual(expect.arrayContaining(ids));
    const one = grid.locator('[role=row][aria-rowindex="2"]').getByRole('button').first();
    await one.click();
    await expect.poll(async () => ids.includes(await copied())).toBe(true);
    await expect(page).toHaveURL(new RegExp(`#/alerts/${alert.id}`));
    await test.step('by keyboard alone, with what has the focus to be seen in both themes', async () => {
      const outline = () =>
        page.evaluate(() => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
          return `${outlineStyle} ${outlineWidth}`;
        });
      const order = ['Acknowledge', 'Look there', 'Copy link', 'HTML', 'Markdown'];
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        // After a click, a browser shows no focus until a key is pressed.
        await page.keyboard.press('Tab');
        await page.getByRole('button', { name: order[0] }).focus();
        for (const name of order) {
          await expect(page.getByRole('main').locator(':focus')).toHaveText(name);
          expect(await outline()).toBe('solid 2px');
          await page.keyboard.press('Tab');
        }
        await part(page, 'Who is hit')
          .getByRole('button', { name: /^Copy (all|the)/ })
          .focus();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        await expect(grid).toBeFocused();
        await page.keyboard.press('Home');
        await page.keyboard.press('Tab');
        await expect(one).toBeFocused();
        expect(await outline()).toBe('solid 2px');
        await page.locator('body').evaluate((body) => body.removeAttribute('data-copied'));
        await page.keyboard.press('Enter');
        await expect.poll(async () => ids.includes(await copied())).toBe(true);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        await expect(grid.locator(':focus')).toHaveCount(0);
      }
    });
    // A message that goes while axe looks is half transparent.
    await expect(page.getByText(/copied$/)).toHaveCount(0);
    await judge(page);
  });

  test('is told apart from the rest with how likely that is by chance', async ({ page, world }) => {
    await fires(world, 'crashes');
    await open(page, world, '#/sessions?q=ended%3Acrashed&compare=yes');
    const different = part(page, 'What is different');
    const row = different.getByRole('row').filter({ hasText: 'arena-prod-eu-green' }).first();
    await expect(row.getByText(/^p (<|=) 0\.\d+$/)).toBeVisible();
    await expect(row.getByText(/^([\d.]+×|only here)$/)).toHaveAttribute('title', /by chance, corrected/);
    await judge(page);
  });

  test('fits a small window and a wide one', async ({ page, world }) => {
    const alert = await fires(world, 'crashes');
    for (const size of [
      { width: 1024, height: 700 },
      { width: 2560, height: 1300 },
    ]) {
      await page.setViewportSize(size);
      await open(page, world, `#/alerts/${alert.id}`);
      await expect(part(page, 'Offered action')).toBeVisible();
      await judge(page);
      const spills = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(spills).toBe(false);
    }
  });

  test('offers to point the alias back, which is previewed and asks to unlock', async ({ page, world }) => {
    const alert = await fires(world, 'crashes');
    await open(page, world, `#/alerts/${alert.id}`);
    await expect(part(page, 'Offered action')).toContainText(
      'liftdeck alias repoint arena-live-eu --fleet arena-prod-eu',
    );
    await part(page, 'Offered action')
      .getByRole('button', { name: /: preview$/ })
      .click();
    await expect(dialog(page)).toContainText('arena-prod-eu');
    await expect(
      dialog(page)
        .getByRole('button', { name: /unlock/i })
        .first(),
    ).toBeVisible();
    await judge(page);
  });

  test('is saved as a page that needs no script, and as Markdown', async ({ page, world, browser }) => {
    const alert = await fires(world, 'crashes');
    await open(page, world, `#/alerts/${alert.id}`);
    const saved = async (name: string): Promise<string> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      return readFileSync(await download.path(), 'utf8');
    };
    const html = await saved('HTML');
    expect(html).not.toContain('<script');
    const context = await browser.newContext({ javaScriptEnabled: false });
    for (const colorScheme of ['light', 'dark'] as const) {
      const other = await context.newPage();
      await other.emulateMedia({ colorScheme });
      await other.setContent(html);
      await expect(other.getByRole('heading', { level: 1 })).toHaveText(/arena-prod-eu-green crashed/);
      await expect(other.locator('svg:visible')).toHaveCount(1);
      await expect(other.getByRole('heading', { name: 'Who is hit' })).toBeVisible();
      await other.close();
    }
    await context.close();
    const markdown = await saved('Markdown');
    expect(markdown).toMatch(/^# \d+ of \d+ sessions on arena-prod-eu-green crashed/);
    expect(markdown).toContain('## Timeline, newest first');
  });

  test('any span can be made one, from the range and by its address', async ({ page, world }) => {
    const alert = await fires(world, 'crashes');
    await open(page, world, `#/fleets/${alert.fleetId}/scaling?last=1h`);
    await page.getByRole('button', { name: 'Time range' }).click();
    await page.getByRole('button', { name: 'Incident of this span' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('What happened: arena-prod-eu-green');
    await expect(page.getByText('Sessions that ended abnormally', { exact: true }).first()).toBeVisible();
    await expect(part(page, 'Timeline')).toContainText('First session failed');
    await judge(page);
    await open(page, world, '#/alerts/span');
    await expect(page.getByText('The address names no beginning and end.')).toBeVisible();
  });

  test('an alert that is not there is said to be unknown, and a failure what failed', async ({
    page,
    world,
  }) => {
    await open(page, world, '#/alerts/never-was');
    await expect(page.getByText('There is no alert never-was in this database.')).toBeVisible();
    await judge(page);
    const alert = await fires(world, 'crashes');
    await refuse(page, 'incident_get', { kind: 'store', message: 'The database cannot be read.' });
    await open(page, world, `#/alerts/${alert.id}`);
    await expect(page.getByText('Could not load the incident')).toBeVisible();
  });
});

test.describe('a bad build of its own', () => {
  test.use({ wanted: { scenario: 'bad-build', operate: true, environment: 'development' }, own: true });

  test('is taken and annotated by keyboard', async ({ page, world }) => {
    const alert = await fires(world, 'crashes');
    await open(page, world, `#/alerts/${alert.id}`);
    await expect(part(page, 'Timeline')).toContainText('Alert fires');
    await page.keyboard.press('a');
    await expect(page.getByRole('button', { name: 'take it' })).toHaveCount(0);
    await page.keyboard.press('n');
    await page.keyboard.type('asked alice <b>now</b>');
    await page.keyboard.press('Enter');
    await expect(part(page, 'Timeline')).toContainText('asked alice <b>now</b>');
    await page.getByText('Changes', { exact: true }).click();
    await expect(part(page, 'Timeline')).not.toContainText('asked alice');
  });
});
