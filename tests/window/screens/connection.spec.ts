/** The form of a connection: what a permission check that failed says, and what it then offers first. */
import { expect } from '@playwright/test';
import type { ConnectionCheck } from '../../../ui/src/host/bindings.gen';
import { judgeBothThemes } from './judge';
import { dialog, open } from './screens';
import { alter, test } from './world';

const expired = 'The credentials have expired.';

test('a failed check says each thing wrong once and offers to check again before it offers to save', async ({
  page,
  world,
}) => {
  await alter(page, 'connection_check', (check: ConnectionCheck) => ({
    ...check,
    ok: false,
    checks: check.checks.map((one) => ({ ...one, outcome: 'failed', detail: expired })),
  }));
  await open(page, world, '#/settings');
  await page.getByRole('button', { name: 'Edit' }).first().click();
  const form = dialog(page);
  const checks = form.getByRole('button', { name: 'Check permissions' });
  await expect(checks).toHaveClass(/primary/);
  await expect(form.getByRole('button', { name: /^Save/ })).toHaveCount(0);
  await checks.click();
  await expect(form.getByText(expired)).toHaveCount(1);
  const anyway = form.getByRole('button', { name: 'Save anyway' });
  await expect(anyway).not.toHaveClass(/primary/);
  await expect(checks).toHaveClass(/primary/);
  await judgeBothThemes(page);
  await test.step('Enter checks again', async () => {
    const again = page.waitForRequest('**/ask/connection_check');
    await form.getByRole('textbox', { name: 'Name' }).press('Enter');
    await again;
    await expect(form).toBeVisible();
  });
});

test.describe('saved', () => {
  test.use({ own: true });
  test('a check that passes offers to save first, which Enter does', async ({ page, world }) => {
    await open(page, world, '#/settings');
    await page.getByRole('button', { name: 'Edit' }).first().click();
    const form = dialog(page);
    await form.getByRole('button', { name: 'Check permissions' }).click();
    await expect(form.getByRole('button', { name: 'Save', exact: true })).toHaveClass(/primary/);
    await expect(form.getByRole('button', { name: 'Check permissions' })).not.toHaveClass(/primary/);
    await form.getByRole('textbox', { name: 'Name' }).press('Enter');
    await expect(form).toHaveCount(0);
  });
});
