/** Players: found from the palette, asked for where nothing was collected, and shown with everything on one page. */
import { expect } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { open, settled } from './screens';
import { test, type World } from './world';

type Slot = { PlayerId: string; PlayerSessionId: string };
type Row = { gameSessionId: string; region: string };

/** A player with several sessions at GameLift, of which only one need be collected. */
async function somebody(world: World): Promise<{ id: string; region: string; sessions: Slot[] }> {
  const query = {
    text: 'status:active players>=2',
    fleetId: null,
    location: null,
    range: null,
    search: null,
    sort: null,
    page: { offset: 0, limit: 20 },
  };
  const { rows } = await world.ask<{ rows: Row[] }>('session_list', { query });
  for (const { gameSessionId, region } of rows) {
    const slots = (members: Record<string, unknown>) =>
      world.aws<{ PlayerSessions: Slot[] }>(region, 'DescribePlayerSessions', members);
    for (const { PlayerId } of (await slots({ GameSessionId: gameSessionId })).PlayerSessions) {
      const { PlayerSessions } = await slots({ PlayerId, Limit: 40 });
      if (PlayerSessions.length > 3 && PlayerSessions.length < 20)
        return { id: PlayerId, region, sessions: PlayerSessions };
    }
  }
  throw new Error('No player of this world has several sessions.');
}

test('a player is found from the palette with every session GameLift still has', async ({ page, world }) => {
  const { id, sessions } = await somebody(world);
  await open(page, world, '#/overview');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(id);
  await expect(page.getByRole('option').filter({ hasText: id }).first()).toHaveAttribute('data-selected', '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(id);
  await expect(page.getByText('everything GameLift has')).toBeVisible();
  const table = page.getByRole('grid', { name: 'Player sessions' });
  await expect(table).toHaveAttribute('aria-rowcount', String(sessions.length + 1));
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/sessions\/arn/);
});

test('a player session leads to its player, also where only GameLift knows it', async ({ page, world }) => {
  const { id, sessions } = await somebody(world);
  await open(page, world, '#/overview');
  await page.keyboard.press('Control+k');
  await page.keyboard.type(sessions.at(-1)?.PlayerSessionId ?? '');
  // Enter waits for what is found of the whole text.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(id);
});

test('a player nobody ever was is said to be unknown to the collected data and to GameLift', async ({
  page,
  world,
}) => {
  await open(page, world, '#/players?q=nobody-at-all');
  await expect(page.getByText('No collected player id starts with “nobody-at-all”')).toBeVisible();
  await page.getByRole('link', { name: 'Ask GameLift for “nobody-at-all”' }).click();
  await expect(page.getByText('Neither the collected data nor GameLift has a session')).toBeVisible();
  await expect(page.getByText('0 player sessions').first()).toBeVisible();
});

test('a player’s page can be read by everybody, in both themes', async ({ page, world }) => {
  const { id } = await somebody(world);
  await open(page, world, `#/players/${id}`);
  await expect(page.getByText('everything GameLift has')).toBeVisible();
  await settled(page);
  await judgeBothThemes(page);
});
