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
    await expect(card).toContainText('Every ready-made rule is as it was made.');
    await card.getByRole('button', { name: /Show all \d+ ready-made rules/ }).click();
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
    await expect(card).toContainText('Every ready-made rule is as it was made.');
  });

  test('a rule of one’s own is tried before it can be saved, edited, and deleted', async ({
    page,
    world,
  }) => {
    // A minute has to pass before it can be looked at.
    test.setTimeout(240_000);
    await open(page, world, '#/alerts');
    const card = page.getByRole('region', { name: 'Rules' });
    await card.getByRole('button', { name: 'Add a rule…' }).click();
    const form = page.getByRole('dialog', { name: 'New rule' });
    const [attempt, save] = [
      form.getByRole('button', { name: 'Try', exact: true }),
      form.getByRole('button', { name: 'Save' }),
    ];
    await expect(attempt).toBeDisabled();
    await form.getByLabel('Name').fill('Few instances');
    await form.getByLabel('Threshold').fill('1000');
    await form.getByLabel('Over again at').fill('3');
    await expect(form).toContainText('It fires below 1000: it is over at 1000 or more');
    await expect(attempt).toBeDisabled();
    await form.getByLabel('Over again at').fill('1000');
    await form.getByLabel('Fires after, in minutes').fill('0');
    await expect(save).toBeDisabled();
    await attempt.click();
    await expect(form.getByRole('status')).toContainText(/would have fired/);
    await expect(form.getByRole('status')).toContainText('Few instances: ActiveInstances of');
    await expect(save).toBeEnabled();
    await judgeBothThemes(page);
    // Another threshold is another rule: it is to be tried again.
    await form.getByLabel('Threshold').fill('999');
    await expect(save).toBeDisabled();
    await attempt.click();
    await save.click();
    await expect(form).toHaveCount(0);
    await expect(card).toContainText('when ActiveInstances of a fleet is below 999');
    await expect(page.getByRole('article', { name: /Few instances: ActiveInstances/ }).first()).toBeVisible();

    await card.getByRole('button', { name: 'Edit Few instances' }).click();
    const edited = page.getByRole('dialog', { name: 'Rule: Few instances' });
    await edited.getByText('Game sessions of a query').click();
    await edited.getByRole('combobox', { name: 'Query' }).fill('statas:active');
    await expect(edited).toContainText('Fix the query to try the rule.');
    await expect(edited.getByRole('button', { name: 'Try', exact: true })).toBeDisabled();
    await edited.getByRole('combobox', { name: 'Query' }).fill('status:active');
    await edited.getByRole('combobox', { name: 'Query' }).press('Enter');
    await edited.getByRole('button', { name: 'Try', exact: true }).click();
    // How many minutes of the past somebody looked in depends on how long this world has been looked at.
    await expect(edited.getByRole('status')).toContainText(/last 7 d 0 h/);
    await judgeBothThemes(page);
    await edited.getByRole('button', { name: 'Delete' }).click();
    await expect(edited).toHaveCount(0);
    await expect(card).not.toContainText('Few instances');
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
