/** Payloads in every text of every screen: none runs, causes a request, hides text, or is cut off. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { poison } from './poison';
import { fleetTabs, screens, settled } from './screens';
import { test } from './world';

/** The screens tests run in the folder `ui`. */
const byKind = JSON.parse(readFileSync('../tests/hostile/payloads.json', 'utf8')) as Record<string, string[]>;
const kinds = Object.values(byKind);
const size = Number(process.env.LIFTDECK_TEST_SIZE ?? 36);
const seed = Number(process.env.LIFTDECK_TEST_SEED ?? 1);
const most = Math.max(...kinds.map((kind) => kind.length));
const together = (each: number) => kinds.reduce((sum, kind) => sum + Math.min(kind.length, each), 0);
let each = 1;
while (each < most && together(each) < size) each++;
/** An equal share of each kind, as far as there are enough; the seed selects them. */
const payloads = kinds.flatMap((kind) => {
  const share = Math.min(kind.length, each);
  return Array.from({ length: share }, (_, at) => {
    const index = (seed + Math.floor((at * kind.length) / share)) % kind.length;
    return kind[index] ?? '';
  });
});

// The characters that `visible` in the window shows as signs. Joiners are checked by its own tests.
const unseen =
  /[\0-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u; // eslint-disable-line no-control-regex

const sign = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '␡' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
};
const joiners = /[\u200c\u200d\ufe00-\ufe0f]|⟨U\+(200C|200D|FE0.)⟩/g;
/** Returns text as displayed, without anything that breaks lines: a document collapses all white space. */
const bare = (text: string): string =>
  text.replace(new RegExp(unseen.source, 'gu'), sign).replace(joiners, '').replace(/\s+/g, '');

/** Returns every text of the document that is drawn, spoken or shown on hover. */
const texts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found = [document.title, document.body.textContent ?? ''];
    for (const element of document.querySelectorAll('*'))
      for (const name of ['title', 'aria-label', 'alt', 'placeholder']) {
        const text = element.getAttribute(name);
        if (text) found.push(text);
      }
    return found;
  });

const addresses = [...screens.map((screen) => screen.address), ...fleetTabs.map((tab) => `fleet/${tab}`)];
/** Each document puts this many payloads into the fields; the next one continues after them. */
const A_DOCUMENT = 36;
const starts = Array.from({ length: Math.ceil(payloads.length / A_DOCUMENT) }, (_, at) => at * A_DOCUMENT);
const seen = new Set<number>();
const complaints: string[] = [];
let page: Page;
let ownFleet = '';
let origin = '';

test.describe.configure({ mode: 'serial' });

test.beforeAll(() => console.log(`hostile: seed ${seed}`));

/** Returns a document's faults: what ran or caused a request, what it hides, which payloads are cut off. */
async function faults(given: readonly string[], start: number): Promise<string[]> {
  const found = complaints.splice(0);
  let marks = 0;
  if (await page.evaluate(() => 'stolen' in globalThis)) found.push('a payload ran');
  for (const text of await texts(page)) {
    const hidden = unseen.exec(text);
    if (hidden)
      found.push(`hidden: ${JSON.stringify(text.slice(Math.max(0, hidden.index - 30), hidden.index + 9))}`);
    const plain = bare(text);
    for (const mark of plain.matchAll(/⟦(\d+)⟧/g)) {
      const number = Number(mark[1]);
      marks++;
      const wanted = bare(given[number] ?? '').toLowerCase();
      const before = plain.slice(Math.max(0, mark.index - wanted.length - 20), mark.index);
      // Where space is limited, a text is shortened in the middle, and its tooltip shows it whole.
      if (/…[^⟦⟧]{0,12}$/.test(before)) continue;
      if (!before.toLowerCase().endsWith(wanted))
        found.push(`not whole: ${JSON.stringify(before.slice(-60))}`);
      seen.add((start + number) % given.length);
    }
  }
  if (marks === 0) found.push('no payload came to it');
  return found;
}

/** Waits for a screen. The document stays the same, so the previous screen must be gone. */
async function isThere(address: string): Promise<void> {
  const screen = screens.find((one) => one.address === address);
  if (screen) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(screen.heading);
  } else {
    const link = page.getByRole('navigation', { name: 'Fleet sections' }).locator('[aria-current=page]');
    await expect(link).toHaveAttribute('href', new RegExp(`${address.replace('fleet', '')}\\b`));
  }
}

for (const start of starts) {
  test.describe(`from payload ${start} on`, () => {
    const given = [...payloads.slice(start), ...payloads.slice(0, start)];

    test.beforeAll(async ({ browser, shared }) => {
      const world = await shared.of({});
      origin = world.origin;
      page = await browser.newPage();
      page.on('pageerror', (error) => complaints.push(`an error: ${error.message}`));
      page.on('dialog', (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
      page.on('console', (message) => {
        if (/Content.Security.Policy|violates/i.test(message.text())) complaints.push(message.text());
      });
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(`${origin}/`) && !/^(data:|blob:)/.test(url))
          complaints.push(`a request: ${url}`);
      });
      await page.addInitScript((token) => localStorage.setItem('liftdeck.token', token), world.token);
      await poison(page, given);
      await page.goto(`${origin}/#/fleets`);
      await page.locator('[role=row][aria-rowindex="2"]').click({ position: { x: 60, y: 12 } });
      await expect(page).toHaveURL(/#\/fleets\/[a-z]*fleet-/);
      ownFleet = /#\/fleets\/[^/?]+/.exec(page.url())?.[0] ?? '';
    });
    test.afterAll(async () => {
      // A request may still be in `poison`; its response is no longer needed.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.close();
    });

    for (const address of addresses) {
      test(`${address} shows every payload whole and obeys none`, async () => {
        // The document stays the same, so later answers continue with the next payloads.
        await page.goto(`${origin}/${address.replace(/^fleet/, ownFleet)}`);
        await isThere(address);
        await settled(page);
        expect(await faults(given, start)).toEqual([]);
      });
    }
  });
}

test('every payload came to some screen', () => {
  console.log(
    `hostile: ${payloads.length} payloads × ${addresses.length} screens, all inert and whole (${seen.size} were on some screen, seed ${seed})`,
  );
  expect(seen.size).toBe(payloads.length);
});
