import { afterEach, expect, it } from 'vitest';
import { keepInert } from './inert';

let stop = (): void => undefined;
afterEach(() => stop());

const drawn = () => new Promise((done) => setTimeout(done));

it('shows what is hidden in a text or attribute, whenever it came', async () => {
  document.body.innerHTML = '<p title="a\u202eb">early\u001b[2J</p>';
  stop = keepInert(document.documentElement);
  const early = document.querySelector('p');
  expect([early?.textContent, early?.title]).toEqual(['early␛[2J', 'a⟨U+202E⟩b']);
  const late = document.createElement('button');
  late.append('late\u200b');
  late.setAttribute('aria-label', '\u2066x');
  document.body.append(late);
  await drawn();
  expect([late.textContent, late.getAttribute('aria-label')]).toEqual(['late⟨U+200B⟩', '⟨U+2066⟩x']);
  const [text] = late.childNodes;
  if (text) text.nodeValue = 'again\u009b';
  late.setAttribute('aria-label', '\u200fy');
  await drawn();
  expect([late.textContent, late.getAttribute('aria-label')]).toEqual(['again⟨U+009B⟩', '⟨U+200F⟩y']);
});

it('leaves what somebody types as it is', async () => {
  document.body.innerHTML = '<input />';
  stop = keepInert(document.documentElement);
  const field = document.querySelector('input');
  if (field) field.value = 'a\u202eb';
  await drawn();
  expect(field?.value).toBe('a\u202eb');
});

it('shows the title of the window', async () => {
  stop = keepInert(document.documentElement);
  document.title = 'Overview · prod\u202e';
  await drawn();
  expect(document.title).toBe('Overview · prod⟨U+202E⟩');
});
