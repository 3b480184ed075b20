/** Owns checking a page with axe, in one theme or both. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { settled } from './screens';

/** Waits until the page has settled, then fails with axe's findings and the elements concerned. */
export async function judge(page: Page): Promise<void> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page })
    // Before the tags: these options replace what was chosen earlier.
    .options({ resultTypes: ['violations'] })
    // Our pages have no frames, whose results would be put together in a page of their own, which takes as long again.
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const told = violations.map(
    (one) => `${one.id}: ${one.help}\n  ${one.nodes.map((node) => node.html).join('\n  ')}`,
  );
  expect(told).toEqual([]);
}

/** Does the same in the dark and the light theme, switched as the system would. */
export async function judgeBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await judge(page);
  }
}
