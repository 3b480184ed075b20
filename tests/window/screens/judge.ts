/** Owns judging a page by axe, in one theme or both. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { settled } from './screens';

/** Fails with what axe found once the page has come to rest, each with the element it is about. */
export async function judge(page: Page): Promise<void> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
  const told = violations.map((one) => `${one.id}: ${one.help}\n  ${one.nodes.map((node) => node.html).join('\n  ')}`);
  expect(told).toEqual([]);
}

/** The same in the dark theme and in the light one, as the system's choice changes. */
export async function judgeBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await judge(page);
  }
}
