/** Player data: personal data that is shown only where somebody asks for it, laid out and copyable. */
import { expect } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { test } from './world';

type Session = { gameSessionId: string };
type Data = { playerSessionId: string; text: string };

test('what a game attached to a player opens from the row, by keyboard too', async ({ page, world }) => {
  const query = {
    text: 'status:active players>=2',
    fleetId: null,
    location: null,
    range: null,
    search: null,
    sort: null,
    page: { offset: 0, limit: 20 },
  };
  const { rows } = await world.ask<{ rows: Session[] }>('session_list', { query });
  let found: { session: Session; data: Data } | null = null;
  for (const session of rows) {
    const { gameSessionId } = session;
    const [data] = await world.ask<Data[]>('player_data_list', { gameSessionId });
    if (data) {
      found = { session, data };
      break;
    }
  }
  if (!found) throw new Error('No player session of this world has data.');
  await open(page, world, `#/sessions/${encodeURIComponent(found.session.gameSessionId)}`);
  const show = page.getByRole('button', { name: /^Show the player data of/ }).first();
  await expect(show).toBeVisible();
  await expect(page.getByText(found.data.text)).toHaveCount(0);
  await show.focus();
  await page.keyboard.press('Enter');
  const shown = dialog(page);
  await expect(shown.locator('pre')).not.toBeEmpty();
  await expect(shown.getByRole('button', { name: 'Copy' })).toBeVisible();
  await judgeBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(show).toBeFocused();
});
