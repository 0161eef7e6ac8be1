// A second factor from its setup to its loss, with its own product: sign-ins of other specs need none.
import { type Browser, expect, type Page, test } from '@playwright/test';
import { Authenticator } from './authenticator.ts';
import { createOwner, OWNER } from './first-start.ts';
import { openPage } from './open-page.ts';
import { axeOn } from './settled.ts';
import { type Product, startProduct } from './start-product.ts';

test.setTimeout(180_000);

let product: Product;
let owner: Page;
/** The owner's. */
let app: Authenticator;
let codes: string[];

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  test.setTimeout(360_000);
  product = await startProduct();
  owner = await newBrowser(browser);
  await createOwner(owner, product.baseUrl);
});
test.afterAll(() => product.stop());

const newBrowser = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

const expectAccessible = async (page: Page) =>
  expect((await (await axeOn(page)).analyze()).violations).toEqual([]);

async function enterPassword(page: Page, { email, password } = OWNER): Promise<void> {
  await openPage(page, `${product.baseUrl}/sign-in`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signInWithApp(page: Page): Promise<void> {
  await enterPassword(page);
  await page.getByLabel('Code from your authenticator app').fill(app.code());
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.waitForURL('**/workflows');
}

/** Enters the first code of a new app and reads the recovery codes. */
async function confirm(page: Page): Promise<{ app: Authenticator; codes: string[] }> {
  const app = await Authenticator.scan(page);
  const key = await page.getByLabel('setup key', { exact: true }).innerText();
  expect(key.replace(/\s/g, '')).toBe(app.key);
  await page.getByLabel('Code from your app').fill('12345');
  await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click();
  await expect(page.getByText('This code is wrong.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Code from your app').fill(app.code());
  await page.getByRole('button', { name: 'Turn on two-factor sign-in' }).click();
  await expect(page.getByText('Save your recovery codes now.')).toBeVisible();
  await expectAccessible(page);
  const codes = await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allInnerTexts();
  expect(codes).toHaveLength(10);
  return { app, codes };
}

test('an owner sets it up in the settings and keeps the recovery codes', async () => {
  await openPage(owner, `${product.baseUrl}/settings/account`);
  await owner.getByRole('button', { name: 'Set up', exact: true }).click();
  await owner.getByRole('button', { name: 'Continue' }).click();
  ({ app, codes } = await confirm(owner));
  const downloading = owner.waitForEvent('download');
  await owner.getByRole('link', { name: 'Download codes' }).click();
  const stream = await (await downloading).createReadStream();
  expect((await stream.toArray()).join('')).toBe(`${codes.join('\n')}\n`);
  await owner.getByRole('button', { name: 'I saved my codes' }).click();
  await expect(owner.getByText('10 of 10 recovery codes left')).toBeVisible();
  // The trigger of the dialog is gone: the focus is at its position.
  await expect(owner.locator(':focus')).toContainText('Create new recovery codes');
  await expectAccessible(owner);
});

test('signing in takes a code after the password; a recovery code does, too, once', async ({ browser }) => {
  const phone = await newBrowser(browser);
  await enterPassword(phone);
  await phone.getByLabel('Code from your authenticator app').fill('12 34');
  await phone.getByRole('button', { name: 'Verify' }).click();
  await expect(phone.getByText('This code is wrong')).toBeVisible();
  await expectAccessible(phone);
  // Not signed in yet.
  await openPage(phone, `${product.baseUrl}/workflows`);
  await expect(phone).toHaveURL(/sign-in/);
  await signInWithApp(phone);

  const stranger = await newBrowser(browser);
  await enterPassword(stranger);
  await stranger.getByRole('button', { name: 'Use a recovery code' }).click();
  await stranger.getByLabel('Recovery code').fill(codes[0] ?? '');
  await stranger.getByRole('button', { name: 'Verify' }).click();
  await expect(stranger.getByText('9 codes are left.')).toBeVisible();
  await expectAccessible(stranger);
  await stranger.getByRole('button', { name: 'Continue' }).click();
  await stranger.waitForURL('**/workflows');

  await openPage(owner, `${product.baseUrl}/settings/account`);
  await expect(owner.getByText('9 of 10 recovery codes left')).toBeVisible();
  const browsers = owner.getByRole('list', { name: 'Browsers' }).getByRole('listitem');
  await expect(browsers).toHaveCount(3);
  await expect(browsers.first()).toContainText('This browser');
  await expect(browsers.nth(1)).toContainText(/Chrome on \w+/);

  await browsers.nth(1).getByRole('button').click();
  await owner.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(browsers).toHaveCount(2);
  await openPage(stranger, `${product.baseUrl}/runs`);
  await expect(stranger).toHaveURL(/sign-in/);

  await owner.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(browsers).toHaveCount(1);
  await openPage(phone, `${product.baseUrl}/runs`);
  await expect(phone).toHaveURL(/sign-in/);
});

test('an invited member sets it up before anything else where the workspace requires it', async ({
  browser,
}) => {
  await openPage(owner, `${product.baseUrl}/settings/members`);
  await expect(owner.getByText('two-factor sign-in', { exact: false }).first()).toBeVisible();
  await owner.getByRole('switch', { name: 'Require two-factor sign-in' }).click();
  await owner.getByRole('button', { name: 'Invite', exact: true }).click();
  await owner.getByRole('button', { name: 'Create link' }).click();
  const link = await owner.getByLabel('invitation link', { exact: true }).innerText();

  const member = await newBrowser(browser);
  await openPage(member, link);
  await member.getByLabel('Email address').fill('anna@example.com');
  await member.getByLabel('Password').fill('a password of her own');
  await member.getByRole('button', { name: 'Create an account and join' }).click();
  await member.waitForURL('**/two-factor');
  await expectAccessible(member);
  await openPage(member, `${product.baseUrl}/runs`);
  await expect(member).toHaveURL(/two-factor/);
  await member.getByRole('button', { name: 'Continue' }).click();
  await confirm(member);
  await member.getByRole('button', { name: 'I saved my codes' }).click();
  await member.waitForURL('**/workflows');
});

test('new recovery codes and turning it off take password and code', async ({ browser }) => {
  await openPage(owner, `${product.baseUrl}/settings/account`);
  await owner.getByRole('button', { name: 'Create new recovery codes' }).click();
  await owner.getByRole('dialog').getByLabel('Password').fill(OWNER.password);
  await owner
    .getByRole('dialog')
    .getByLabel('Code')
    .fill(codes[0] ?? '');
  await owner.getByRole('button', { name: 'Create codes' }).click();
  // Signed in with before.
  await expect(owner.getByText('This code is wrong or was already used.')).toBeVisible();
  await owner
    .getByRole('dialog')
    .getByLabel('Code')
    .fill(codes[1] ?? '');
  await owner.getByRole('button', { name: 'Create codes' }).click();
  const fresh = owner.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(fresh).toHaveCount(10);
  const [recoveryCode = ''] = await fresh.allInnerTexts();
  await owner.getByRole('button', { name: 'Done' }).click();
  await expect(owner.getByText('10 of 10 recovery codes left')).toBeVisible();

  await owner.getByRole('button', { name: 'Turn off' }).click();
  await expectAccessible(owner);
  await owner.getByRole('dialog').getByLabel('Password').fill(OWNER.password);
  await owner.getByRole('dialog').getByLabel('Code').fill(recoveryCode);
  await owner.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(owner.getByRole('button', { name: 'Set up', exact: true })).toBeVisible();

  // Required of everybody: the next sign-in leads to the setup.
  const elsewhere = await newBrowser(browser);
  await enterPassword(elsewhere);
  await elsewhere.waitForURL('**/two-factor');
});
