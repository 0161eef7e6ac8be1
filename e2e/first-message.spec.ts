// Counts the clicks from an empty workspace to the first message.
import type { Locator, Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { CountingHands } from './counting-hands.ts';
import { expect, test } from './fixtures.ts';
import { openPage, untilHydrated } from './open-page.ts';
import { waitFor } from './seed.ts';

const MOST_CLICKS = 9;
/** The customer of the starter's sample orders. */
const CUSTOMER = '15550101001';

/** An empty workspace; only this browser uses it. */
async function makeWorkspace(page: Page): Promise<void> {
  await openPage(page, '/settings/account');
  await page.getByRole('button', { name: 'New workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('From scratch');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL('**/workflows');
}

test('from an empty product to the first message by the gallery', async ({ page, sandbox }) => {
  await makeWorkspace(page);
  const canvas = new CanvasDriver(page);
  const earlier = (await sandbox.get<{ data: unknown[] }>(`messages?to=${CUSTOMER}`)).data.length;
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks += 1;
    await target.click();
  };

  await test.step('a workflow from the gallery, which asks whom its messages come from', async () => {
    await expect(page.getByText('No workflows yet')).toBeVisible();
    await click(page.getByRole('button', { name: 'Use “Order confirmation”' }));
    await click(page.getByRole('dialog').getByRole('button', { name: 'Connect an account' }));
  });

  await test.step('the login of the platform', async () => {
    await click(page.getByRole('button', { name: /^A?\s*Admin/ }));
    await click(page.getByRole('button', { name: 'Allow' }));
    await page.waitForURL('**/connections/new?login=*');
    await untilHydrated(page);
    await click(page.getByRole('button', { name: 'Save connection' }));
  });

  await test.step('back in the gallery, with connection and number chosen', async () => {
    await page.waitForURL('**/gallery?starter=order-confirmation&connection=*');
    const dialog = page.getByRole('dialog', { name: 'Use “Order confirmation”' });
    await expect(dialog.getByRole('combobox', { name: 'Connection' })).toContainText('Harbour Street Books');
    await click(dialog.getByRole('button', { name: 'Create workflow' }));
    await page.waitForURL(/\/workflows\/[0-9a-f-]{36}$/);
  });

  await test.step('nothing is left to fix: publish', async () => {
    await canvas.isReady();
    await expect(page.locator('[data-errors]')).toHaveAttribute('data-errors', '0');
    await click(page.getByRole('button', { name: /^Publish/ }));
    const dialog = page.getByRole('dialog', { name: 'Publish' });
    await expect(dialog.getByText('No problems found.')).toBeVisible();
    await click(dialog.getByRole('button', { name: 'Publish workflow' }));
    await expect(page.getByText('Version 1 is published').first()).toBeVisible();
  });
  await test.step('the sample is sent, and its customer gets the message', async () => {
    const card = page.getByRole('complementary', { name: 'After publishing' });
    await click(card.getByRole('button', { name: 'Send the sample now' }));
    await expect(card.getByRole('status')).toContainText('The caller got status 200');
    await waitFor('the message', async () => {
      const { data } = await sandbox.get<{ data: unknown[] }>(`messages?to=${CUSTOMER}`);
      return data.length > earlier ? true : undefined;
    });
  });
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});

test('from an empty product to the first message from blank', async ({ page, sandbox }) => {
  await makeWorkspace(page);
  const recipient = '15550102701';
  const canvas = new CanvasDriver(page);
  const hands = new CountingHands(page);

  await test.step('a workflow with a trigger, and a message behind it', async () => {
    await hands.click(page.getByRole('button', { name: 'Create', exact: true }));
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
    await hands.type('From blank');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
    await canvas.isReady();
    const palette = page.getByRole('complementary', { name: 'Tasks' });
    await hands.click(palette.getByRole('button', { name: 'Send template' }));
  });

  await test.step('an account is connected from the task', async () => {
    await hands.click(canvas.panel.getByRole('button', { name: 'Connect an account' }));
    await hands.click(page.getByRole('button', { name: /^A?\s*Admin/ }));
    await hands.click(page.getByRole('button', { name: 'Allow' }));
    await page.waitForURL('**/connections/new?login=*');
    await untilHydrated(page);
    await hands.click(page.getByRole('button', { name: 'Save connection' }));
    await page.waitForURL(/\/workflows\/[0-9a-f-]{36}/);
  });

  await test.step('back in the task only recipient and template are missing', async () => {
    await expect(canvas.chosen('App connection')).toContainText('Harbour Street Books');
    await expect(canvas.panel.getByRole('textbox', { name: 'Recipient' })).toBeFocused();
    await hands.type(recipient);
    await hands.click(canvas.panel.getByRole('button', { name: 'Use “hello_world”' }));
    await expect(canvas.chosen('Sender')).not.toContainText('Choose');
    await expect(canvas.task('Send template')).toContainText(`hello_world → ${recipient}`);
  });

  await test.step('it is sent', async () => {
    await hands.click(canvas.panel.getByRole('button', { name: 'Test this task' }));
    await hands.click(page.getByRole('button', { name: 'Run it' }));
    await waitFor('the message', async () => {
      const { data } = await sandbox.get<{ data: unknown[] }>(`messages?to=${recipient}`);
      return data.length > 0 ? true : undefined;
    });
  });
  expect(hands.clicks).toBeLessThanOrEqual(MOST_CLICKS);
  expect(hands.typedFields).toBeLessThanOrEqual(2);
});
