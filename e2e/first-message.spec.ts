// How far it is from nothing to the first message: every click is counted.
import type { Locator, Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { waitFor } from './seed.ts';

const MOST_CLICKS = 9;
/** Whom the starter's sample orders are from. */
const CUSTOMER = '15550101001';

/** A workspace without anything; only this browser works in it. */
async function makeWorkspace(page: Page): Promise<void> {
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'New workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('From scratch');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL('**/workflows');
}

test('from an empty product to the first message by the gallery', async ({ page, sandbox }) => {
  test.setTimeout(120_000);
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
