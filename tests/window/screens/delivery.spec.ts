/**
 * Who is told of alerts while no one looks: adding a channel, testing it, seeing that it does not arrive; and
 * silencing an alert, which stays on the screen.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { open } from './screens';
import { test } from './world';

/** A receiver that answers with the status it is set to, and a file that names its address. */
class Receiver {
  status = 200;
  readonly received: unknown[] = [];
  readonly file: string;
  private readonly folder = mkdtempSync(join(tmpdir(), 'receiver-'));

  private constructor(private readonly server: Server) {
    this.file = join(this.folder, 'hook');
    const { port } = server.address() as AddressInfo;
    writeFileSync(this.file, `http://127.0.0.1:${port}/hook`, { mode: 0o600 });
  }

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece: Buffer) => (text += piece.toString()));
      request.on('end', () => {
        receiver.received.push(JSON.parse(text));
        response.writeHead(receiver.status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new Receiver(server);
    return receiver;
  }

  close(): void {
    this.server.close();
    rmSync(this.folder, { recursive: true });
  }
}

test.describe('delivery', () => {
  test.use({
    wanted: { scenario: 'bad-build', operate: true, speed: 1 },
    own: true,
  });

  test('a channel is added, tested, and says why something does not arrive', async ({ page, world }) => {
    const receiver = await Receiver.open();
    await open(page, world, '#/alerts');
    await expect(page.getByText('Nobody is told while no one looks')).toBeVisible();
    await judgeBothThemes(page);
    await page.getByRole('button', { name: 'Add a channel…' }).click();
    const form = page.getByRole('dialog', { name: 'Add a channel' });
    await form.getByLabel('Name').fill('on call');
    await form.getByText('Webhook', { exact: true }).click();

    // A secret is not kept: the form says so, and what to do instead.
    await form.getByLabel('Address').fill('https://hooks.example.com/secret');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toContainText('This address is a secret, and Liftdeck keeps none.');
    await judgeBothThemes(page);
    await form.getByLabel('Address').fill(`file:${receiver.file}`);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toHaveCount(0);

    const line = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: 'Test on call' }) });
    await expect(line).toContainText('nothing was sent yet');
    await line.getByRole('button', { name: 'Test on call' }).click();
    await expect(line).toContainText('delivered');
    expect(receiver.received.at(-1)).toMatchObject({
      telling: 'test',
      version: 1,
    });

    receiver.status = 404;
    await line.getByRole('button', { name: 'Test on call' }).click();
    await expect(line).toContainText('the answer was 404 Not Found');
    await judgeBothThemes(page);

    await line.getByRole('button', { name: 'More about on call' }).click();
    await page.getByRole('menuitem', { name: 'Switch off' }).click();
    await expect(line).toContainText('switched off');
    await line.getByRole('button', { name: 'More about on call' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect(page.getByText('Nobody is told while no one looks')).toBeVisible();
    receiver.close();
  });

  test('a silenced alert stays on the screen with who, until when and why', async ({ page, world }) => {
    await open(page, world, '#/alerts');
    const card = page.getByRole('article', {
      name: /on arena-prod-eu-green crashed/,
    });
    await card.getByRole('button', { name: /^Silence: / }).click();
    await page.getByRole('menuitem', { name: '2 hours' }).click();
    const dialog = page.getByRole('dialog', { name: 'Silence this alert' });
    await expect(dialog.getByRole('button', { name: 'Silence' })).toBeDisabled();
    await dialog.getByLabel('Reason').fill('we roll it back');
    await judgeBothThemes(page);
    await dialog.getByRole('button', { name: 'Silence' }).click();
    await expect(card).toContainText(/silenced( by .+)? until \d\d:\d\d: we roll it back/);
    const line = page.getByRole('listitem').filter({ hasText: 'we roll it back' });
    await expect(line).toContainText('crashes');
    // A message that fades is judged as it fades.
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
    await judgeBothThemes(page);
    await line.getByRole('button', { name: /^End the silence of / }).click();
    await expect(line).toContainText('over');
    await expect(card).not.toContainText('we roll it back');
  });
});
