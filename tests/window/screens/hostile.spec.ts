/** Payloads in every text of every screen: nothing runs, nothing is asked for, nothing hides, and all of it is there. */
import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { fleetTabs, screens, settled } from './screens';

/** Where the screens run is `ui`. */
const byKind = JSON.parse(readFileSync('../tests/hostile/payloads.json', 'utf8')) as Record<string, string[]>;
const all = Object.values(byKind).flat();
const size = Number(process.env.LIFTDECK_TEST_SIZE ?? all.length);
const payloads = all.filter((_, index) => index % Math.max(1, Math.floor(all.length / size)) === 0);

// The same characters as `visible` of the window shows as signs; joiners are judged by its own tests.
const unseen =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u; // eslint-disable-line no-control-regex

const sign = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
};
const joiners = /[\u200c\u200d\ufe00-\ufe0f]|⟨U\+(200C|200D|FE0.)⟩/g;
/** As it is seen, without what breaks lines: a document shows blanks of all kinds as one. */
const bare = (text: string): string =>
  text.replace(new RegExp(unseen.source, 'gu'), sign).replace(joiners, '').replace(/\s+/g, '');

/** Every text of the document, drawn, spoken or hovered. */
const texts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = [document.title, document.body.textContent ?? ''];
    for (const element of document.querySelectorAll('*'))
      for (const name of ['title', 'aria-label', 'alt', 'placeholder'])
        found.push(element.getAttribute(name) ?? '');
    return found;
  });

const addresses = [...screens.map((screen) => screen.address), ...fleetTabs.map((tab) => `fleet/${tab}`)];
const seen = new Set<number>();

test.describe.configure({ mode: 'serial' });

for (const address of addresses) {
  test(`${address} shows every payload whole and obeys none`, async ({ page }) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(`an error: ${error.message}`));
    page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
    page.on('console', (message) => {
      if (/Content.Security.Policy|violates/i.test(message.text())) complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (!/^(http:\/\/localhost:|data:|blob:)/.test(request.url()))
        complaints.push(`a request: ${request.url()}`);
    });
    await page.addInitScript((given) => Object.assign(globalThis, { hostilePayloads: given }), payloads);
    const fleet = address.startsWith('fleet/');
    await page.goto(`/?fake=still,hostile${fleet ? '#/fleets' : address}`);
    await expect(page.locator('#app > *').first()).toBeVisible();
    if (fleet) {
      await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 60, y: 12 } });
      await expect(page).toHaveURL(/#\/fleets\/[a-z]*fleet-/);
      const own = /#\/fleets\/[^/?]+/.exec(page.url())?.[0] ?? '';
      await page.goto(`/?fake=still,hostile${own}/${address.slice('fleet/'.length)}`);
    }
    await settled(page);
    const shown = await texts(page);
    expect(complaints).toEqual([]);
    expect(await page.evaluate(() => 'stolen' in globalThis)).toBe(false);
    for (const text of shown) {
      const hidden = unseen.exec(text);
      expect(hidden && text.slice(Math.max(0, hidden.index - 30), hidden.index + 9)).toBeNull();
      const plain = bare(text);
      for (const mark of plain.matchAll(/⟦(\d+)⟧/g)) {
        const number = Number(mark[1]);
        const wanted = bare(payloads[number] ?? '');
        const before = plain.slice(0, mark.index);
        // Where there is little room a text is shortened in its middle, and whole in its tooltip.
        if (/…[^⟦⟧]{0,12}$/.test(before)) continue;
        expect(before.slice(before.length - wanted.length).toLowerCase()).toBe(wanted.toLowerCase());
        seen.add(number);
      }
    }
  });
}

test('the payloads came to the screen at all', () => {
  console.log(
    `hostile: ${payloads.length} payloads × ${addresses.length} screens, all inert and whole (${seen.size} were on some screen)`,
  );
  expect(seen.size).toBeGreaterThan(Math.min(payloads.length, 60) / 2);
});
