/**
 * The rules that alerts come from: each says what it looks for; one is tried on the stored past, switched off, seen to
 * end its alert, and reset; and the page of an incident leads to its rule.
 */
import { expect } from '@playwright/test';
import { judgeBothThemes } from './judge';
import { open } from './screens';
import { test } from './world';

test.describe('rules', () => {
  test.use({ wanted: { scenario: 'bad-build', operate: true, speed: 1 }, own: true });

  test('a rule is tried on the past, switched off, and reset', async ({ page, world }) => {
    await open(page, world, '#/alerts');
    const crashed = page.getByRole('article', { name: /on arena-prod-eu-green crashed/ });
    await expect(crashed).toBeVisible();
    const card = page.getByRole('region', { name: 'Rules' });
    await expect(card).toContainText('Every rule is as it was made.');
    await card.getByRole('button', { name: /Show all \d+ rules/ }).click();
    await expect(card).toContainText('when game sessions of a fleet crash far more often than usual');
    await judgeBothThemes(page);

    await card.getByRole('button', { name: 'Adjust Server processes crash' }).click();
    const form = page.getByRole('dialog', { name: 'Rule: Server processes crash' });
    await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
    await form.getByLabel('Fires after, in minutes').fill('soon');
    await expect(form).toContainText('A number of minutes, 0 or more');
    await form.getByLabel('Fires after, in minutes').fill('600');
    await form.getByRole('button', { name: 'Try' }).click();
    await expect(form.getByRole('status')).toContainText(/fired in the last 7 d 0 h; none would have/);
    await form.getByLabel('Fires after, in minutes').fill('0');
    await form.getByRole('button', { name: 'Try' }).click();
    await expect(form.getByRole('status')).toContainText('on arena-prod-eu-green crashed');
    await judgeBothThemes(page);

    await form.getByText('Off: seen, never fires').click();
    await form.getByLabel('For', { exact: true }).selectOption({ label: 'arena-prod-eu-green' });
    // What is set for the fleet is nothing yet: the form starts from there.
    await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
    await form.getByText('Off: seen, never fires').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toHaveCount(0);
    await expect(card).toContainText('arena-prod-eu-green: off');
    await expect(card).toContainText('1 rule adjusted.');
    await expect(crashed).toContainText(/recover/i);

    await card.getByRole('button', { name: 'Adjust Server processes crash' }).click();
    await form.getByLabel('For', { exact: true }).selectOption({ label: 'arena-prod-eu-green' });
    await form.getByRole('button', { name: 'Reset' }).click();
    await expect(card).toContainText('Every rule is as it was made.');
  });

  test('the page of an incident leads to its rule', async ({ page, world }) => {
    await open(page, world, '#/alerts');
    const crashed = page.getByRole('article', { name: /on arena-prod-eu-green crashed/ });
    await crashed
      .getByRole('link', { name: /crashed/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'Server processes crash' }).click();
    const form = page.getByRole('dialog', { name: 'Rule: Server processes crash' });
    await expect(form).toContainText('By itself it fires at once.');
    await form.getByRole('button', { name: 'Cancel' }).click();
    await expect(form).toHaveCount(0);
  });
});
