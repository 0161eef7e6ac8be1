// Groups of the sandbox's identity provider, and required sign-in: both change who may sign in, so that this spec has its own
// product.
import { type Browser, expect, type Page, test } from '@playwright/test';
import { createOwner, OWNER } from './first-start.ts';
import { openPage, reloadPage } from './open-page.ts';
import { axeOn, waitUntilSettled } from './settled.ts';
import { type Product, startProduct } from './start-product.ts';

test.setTimeout(180_000);

let product: Product;
test.beforeAll(async () => {
  test.setTimeout(360_000);
  product = await startProduct();
});
test.afterAll(() => product.stop());

const PROVIDER = 'Continue with the sandbox';

/** A browser of another user who signs in at the provider. */
async function signInAs(browser: Browser, account: RegExp): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await openPage(page, `${product.baseUrl}/sign-in`);
  await page.getByRole('button', { name: PROVIDER }).click();
  await page.getByRole('button', { name: account }).click();
  await page.waitForURL(`${product.baseUrl}/**`);
  return page;
}

async function setSandbox(settings: object): Promise<void> {
  const response = await fetch(`${product.sandboxUrl}/__sandbox/settings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(settings),
  });
  expect(response.status).toBe(200);
}

async function expectAccessible(page: Page): Promise<void> {
  await waitUntilSettled(page);
  const { violations } = await (await axeOn(page)).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
}

test('an owner lets groups decide roles, requires the provider, and gets in by break-glass', async ({
  page,
  browser,
}) => {
  await createOwner(page, product.baseUrl);

  await test.step('the provider is checked', async () => {
    await openPage(page, `${product.baseUrl}/settings/sign-in`);
    await page.getByRole('button', { name: 'Check connection' }).click();
    await expect(page.getByText('The provider answers and matches the settings')).toBeVisible();
  });

  await test.step('groups get roles, and who is in none is told so', async () => {
    await page.getByLabel('Groups of the sandbox decide who has access').check();
    await page.getByLabel('Group 1', { exact: true }).fill('patchbay-owners');
    await page.getByRole('combobox', { name: 'Role of group 1' }).click();
    await page.getByRole('option', { name: /^Owner/ }).click();
    await page.getByRole('button', { name: 'Add group' }).click();
    await page.getByLabel('Group 2', { exact: true }).fill('patchbay-owners');
    const save = page.locator('form', { hasText: 'Groups and roles' }).getByRole('button', { name: 'Save' });
    // Before a message fades in.
    await expectAccessible(page);
    await save.click();
    await expect(page.getByText('This group is in the list twice.')).toBeVisible();
    await page.getByLabel('Group 2', { exact: true }).fill('patchbay-editors');
    await page.getByRole('combobox', { name: 'Role of group 2' }).click();
    await page.getByRole('option', { name: /^Editor/ }).click();
    await save.click();
    await expect(page.getByText('Groups and roles saved')).toBeVisible();

    const outsider = await signInAs(browser, /Outsider/);
    await expect(outsider.getByRole('heading', { name: /None of your groups has access/ })).toBeVisible();
    await expect(outsider.getByText('sent no groups')).toBeVisible();
    await expectAccessible(outsider);
    const builder = await signInAs(browser, /Builder/);
    await builder.waitForURL('**/workflows');
    await openPage(builder, `${product.baseUrl}/settings/members`);
    await expect(builder.getByText('is Editor')).toBeVisible();
  });

  await test.step('groups that do not fit into a token refuse the sign-in, and access stays', async () => {
    await setSandbox({ groups: 'referenced' });
    const builder = await signInAs(browser, /Builder/);
    const refusal = builder.getByText('You are in more groups than the sandbox puts into a token');
    await expect(refusal).toBeVisible();
    await expect(refusal).toContainText('Your access did not change.');
    await expectAccessible(builder);
    await setSandbox({ groups: 'listed' });
    await openPage(page, `${product.baseUrl}/settings/members`);
    await expect(page.getByText('builder@sandbox.example')).toBeVisible();
    await openPage(page, `${product.baseUrl}/settings/sign-in`);
  });

  await test.step('the preview says what another list would make of everybody', async () => {
    const admin = await signInAs(browser, /Runs Harbour Street Books/);
    await openPage(admin, `${product.baseUrl}/settings/sign-in`);
    // Groups are in the order of their names.
    await expect(admin.getByText('by the group patchbay-owners')).toBeVisible();
    await admin.getByRole('combobox', { name: 'Role of group 2' }).click();
    await admin.getByRole('option', { name: /^Viewer/ }).click();
    await admin.getByRole('button', { name: 'Remove group 1' }).click();
    const preview = admin.getByRole('region', { name: 'Preview' });
    await expect(preview).toContainText('builder@sandbox.example');
    await expect(preview).toContainText('no access');
  });

  await test.step('a provider that does not say whether addresses are verified is trusted', async () => {
    await setSandbox({ email_verified: 'unsaid' });
    await openPage(page, `${product.baseUrl}/settings/members`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    const invitation = await page.getByText(/\/invitations\//).textContent();
    const visitor = await (await browser.newContext()).newPage();
    await openPage(visitor, invitation ?? '');
    await visitor.getByLabel('Email address').fill('visitor@sandbox.example');
    await visitor.getByLabel('Password').fill(OWNER.password);
    await visitor.getByRole('button', { name: 'Create an account and join' }).click();
    await visitor.waitForURL('**/workflows');

    const refused = await signInAs(browser, /Visitor/);
    await expect(refused.getByText('does not say whether your email address is verified')).toBeVisible();
    await expectAccessible(refused);

    await openPage(page, `${product.baseUrl}/settings/sign-in`);
    const trust = page.getByLabel('Trust this provider’s email addresses');
    await expect(trust).not.toBeChecked();
    await trust.check();
    const save = page.locator('form', { hasText: 'Sign-in rules' }).getByRole('button', { name: 'Save' });
    await save.click();
    await expect(page.getByText('Sign-in settings saved')).toBeVisible();
    await reloadPage(page);
    await expect(trust).toBeChecked();

    const linked = await signInAs(browser, /Visitor/);
    // Groups decide about it, as about every user of the provider.
    await expect(linked.getByRole('heading', { name: /None of your groups has access/ })).toBeVisible();
    await openPage(page, `${product.baseUrl}/settings/audit-log`);
    await expect(page.getByText('Account identity linked')).toBeVisible();
    await expect(
      page.getByText(
        'visitor@sandbox.example (addresses of the provider are trusted; earlier sign-ins without a verified address were removed)',
      ),
    ).toBeVisible();
    await setSandbox({ email_verified: 'verified' });
    await openPage(page, `${product.baseUrl}/settings/sign-in`);
  });

  await test.step('the provider is required', async () => {
    await reloadPage(page);
    await page.getByLabel('Require sign-in with the sandbox').check();
    await page.getByRole('checkbox', { name: OWNER.email }).check();
    await page.getByLabel('Contact for access').fill('it-help@example.com');
    await page
      .locator('form', { hasText: 'Break-glass owners' })
      .getByRole('button', { name: 'Save' })
      .click();
    await expect(page.getByText('Sign-in settings saved')).toBeVisible();

    const visitor = await (await browser.newContext()).newPage();
    await openPage(visitor, `${product.baseUrl}/sign-in`);
    await expect(visitor.getByRole('button', { name: PROVIDER })).toBeVisible();
    await expect(visitor.getByLabel('Password')).toHaveCount(0);
    await expectAccessible(visitor);
    await visitor.getByRole('link', { name: 'Break-glass sign-in' }).click();
    await visitor.getByLabel('Email address').fill(OWNER.email);
    await visitor.getByLabel('Password').fill(OWNER.password);
    await visitor.getByRole('button', { name: 'Sign in' }).click();
    await visitor.waitForURL('**/workflows');
    await openPage(visitor, `${product.baseUrl}/settings/audit-log`);
    await expect(visitor.getByText('Signed in as a break-glass owner')).toBeVisible();
  });
});
