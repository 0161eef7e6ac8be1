// Account recovery, with a separate mail server: a reset ends all sessions, so that this spec has its own product.
import { expect, test } from '@playwright/test';
import { type MailServer, startMailServer } from '../lib/testing/mail-server.ts';
import { createOwner, OWNER } from './first-start.ts';
import { openPage, untilHydrated } from './open-page.ts';
import { axeOn } from './settled.ts';
import { type Product, startProduct } from './start-product.ts';

const NEW_PASSWORD = 'a password nobody knew before';

test.setTimeout(180_000);

let mail: MailServer;
let product: Product;

test.beforeAll(async () => {
  test.setTimeout(360_000);
  mail = await startMailServer();
  product = await startProduct(mail.settings);
});
test.afterAll(async () => {
  await product.stop();
  await mail.close();
});

/** The last link to a page in the mails, once there is one. */
const linkTo = (page: string): Promise<string> =>
  mail.find((text) => new RegExp(`http://localhost:\\d+/${page}/[\\w-]+`).exec(text)?.[0]);

test('an owner tests mail, invites by mail, forgets the password and gets back in by a mailed link', async ({
  page,
  browser,
}) => {
  const { baseUrl } = product;
  await createOwner(page, baseUrl);

  await openPage(page, `${baseUrl}/settings/mail`);
  await page.getByRole('button', { name: 'Send test mail' }).click();
  await expect(page.getByText('The mail server accepted the mail.')).toBeVisible();
  expect(mail.received[0]).toContain(`To: ${OWNER.email}`);

  await openPage(page, `${baseUrl}/settings/members`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Email address (optional)').fill('anna@example.com');
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('The invitation is on its way to anna@example.com.')).toBeVisible();

  const context = await browser.newContext();
  const visitor = await context.newPage();
  const invitation = await linkTo('invitations');
  await openPage(visitor, invitation);
  await expect(visitor.getByRole('heading', { name: /^Join/ })).toBeVisible();
  await expect(visitor.getByLabel('Email address')).toHaveValue('anna@example.com');
  await expect(visitor.getByLabel('Email address')).not.toBeEditable();
  expect((await (await axeOn(visitor)).analyze()).violations).toEqual([]);

  await openPage(visitor, `${baseUrl}/sign-in`);
  await visitor.getByRole('link', { name: 'Forgot your password?' }).click();
  // Both pages have a field of this name.
  await expect(visitor.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await visitor.getByLabel('Email address').fill(OWNER.email);
  await visitor.getByRole('button', { name: 'Send link' }).click();
  await expect(visitor.getByText('Check your inbox')).toBeVisible();

  const link = await linkTo('reset-password');
  await openPage(visitor, link);
  expect((await (await axeOn(visitor)).analyze()).violations).toEqual([]);
  await visitor.getByLabel('New password').fill('short');
  await visitor.getByRole('button', { name: 'Set password' }).click();
  await expect(visitor.getByText(/Use at least 12 characters/)).toBeVisible();
  await visitor.getByLabel('New password').fill(NEW_PASSWORD);
  await visitor.getByRole('button', { name: 'Set password' }).click();
  await expect(visitor.getByText('Password changed')).toBeVisible();
  await openPage(visitor, link);
  await expect(visitor.getByText('This link cannot be used')).toBeVisible();

  await openPage(page, `${baseUrl}/workflows`);
  await expect(page).toHaveURL(/sign-in/);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/workflows');
  await openPage(page, `${baseUrl}/settings/audit-log`);
  await expect(page.getByText('Reset the password')).toBeVisible();

  // Another user opens Anna's invitation; then she does, in the same browser.
  await openPage(page, invitation);
  await expect(page.getByText(`You are signed in as ${OWNER.email}.`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Join workspace' })).toBeHidden();
  expect((await (await axeOn(page)).analyze()).violations).toEqual([]);
  await page.getByRole('button', { name: 'Sign out and use another account' }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await untilHydrated(page);
  await page.getByLabel('Password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Create an account and join' }).click();
  await page.waitForURL('**/workflows');
  await openPage(page, `${baseUrl}/settings/account`);
  await expect(page.getByText('anna@example.com').first()).toBeVisible();
  await context.close();
});
