/**
 * Owns answers in which every text chosen by somebody else is a payload with a mark that identifies it. Ids,
 * kinds and Liftdeck's own words stay, because the tests could find nothing otherwise.
 */
import type { Page } from '@playwright/test';

const ours =
  /^(id|key|kind|state|status|type|mode|outcome|environment|theme|timeZone|severity|operation|region|location|subject|unit|column|metric|version|zone|sort|effect|cause|feature|action|policyType|comparison|statistic|os|resourceKind|followed|verdict|phase)$|(Id|Ids|Arn|Arns|Url|Kind|State|Status|Type|Mode|Policy|Key|Region|Location|Subject)$/;

function poisoned(value: unknown, next: () => string, name = ''): unknown {
  if (typeof value === 'string') return ours.test(name) || value === '' ? value : next();
  if (Array.isArray(value)) return value.map((part) => poisoned(part, next, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      ['settings', 'subjects', 'columns'].includes(key) ? part : poisoned(part, next, key),
    ]),
  );
}

/** Puts payloads in turn into every answer this page gets; `⟦number⟧` after each identifies it. */
export async function poison(page: Page, payloads: readonly string[]): Promise<void> {
  let number = 0;
  const next = () => {
    const at = number++ % payloads.length;
    return `${payloads[at]}⟦${at}⟧`;
  };
  // Blocks hints; the page then polls instead.
  await page.route('**/hints', () => undefined);
  await page.route('**/ask/*', async (route) => {
    const response = await route.fetch();
    if (!(response.headers()['content-type'] ?? '').startsWith('application/json')) {
      await route.fulfill({ response });
      return;
    }
    const answer = (await response.json()) as unknown;
    await route.fulfill({ response, body: JSON.stringify(poisoned(answer, next)) });
  });
}
