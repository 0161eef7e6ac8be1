// A passkey from its creation to its deletion, with the virtual authenticator of Chromium (WebDriver's, over CDP).
import { type Browser, type CDPSession, expect, type Page, test } from '@playwright/test';
import { createOwner, OWNER } from './first-start.ts';
import { openPage } from './open-page.ts';
import { axeOn, waitUntilSettled } from './settled.ts';
import { type Product, startProduct } from './start-product.ts';

test.setTimeout(180_000);

let product: Product;
let page: Page;
let device: CDPSession;
let authenticatorId: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ browser }) => {
  test.setTimeout(360_000);
  product = await startProduct();
  page = await newBrowser(browser);
  await page.exposeFunction('touchDevice', setTouched);
  await page.addInitScript(watchRequests);
  device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  ({ authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  }));
  await createOwner(page, product.baseUrl);
});
test.afterAll(() => product.stop());

const newBrowser = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

async function expectAccessible(): Promise<void> {
  await waitUntilSettled(page);
  const { violations } = await (await axeOn(page)).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
}

const passkeys = () => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');

async function signOut(): Promise<void> {
  await page.context().clearCookies();
  await openPage(page, `${product.baseUrl}/sign-in`);
}

/** Whether the device responds immediately, also to the email field's request. Earlier requests stay unanswered. */
const setTouched = async (enabled: boolean): Promise<void> => {
  await device.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
};

/** Clicks the button, while the email field offers passkeys, too. */
async function usePasskey(): Promise<void> {
  await expect.poll(async () => (await requests()).at(-1)).toBe('waiting');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
}

async function signInWithPasskey(): Promise<void> {
  await usePasskey();
  await page.waitForURL('**/workflows');
}

declare global {
  /** The outcome of each request of the page for a passkey. */
  var passkeyRequests: ('waiting' | 'ended')[];
  var touchDevice: (enabled: boolean) => Promise<void>;
}

/**
 * Records the requests of a page. The device is touched only during the button's request: touched before the click, it could
 * respond to the email field's request, which may arrive at any time.
 */
function watchRequests(): void {
  globalThis.passkeyRequests = [];
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = async (options) => {
    const index = globalThis.passkeyRequests.push('waiting') - 1;
    const isOffer = options?.mediation === 'conditional';
    if (!isOffer) await globalThis.touchDevice(true);
    try {
      return await get(options);
    } finally {
      if (!isOffer) await globalThis.touchDevice(false);
      globalThis.passkeyRequests[index] = 'ended';
    }
  };
}

const requests = () => page.evaluate(() => globalThis.passkeyRequests);

test('nobody is offered a passkey before there is one', async ({ browser }) => {
  const visitor = await newBrowser(browser);
  await openPage(visitor, `${product.baseUrl}/sign-in`);
  await expect(visitor.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden();
});

test('is added in the settings, with a name', async () => {
  await openPage(page, `${product.baseUrl}/settings/account`);
  await expect(page.getByText('You have no passkeys yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await expectAccessible();
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await expect(dialog.getByText('Enter a name.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Work laptop');
  await setTouched(true);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await expect(passkeys()).toHaveCount(1);
  await expect(passkeys().first()).toContainText('never used');
  await expectAccessible();

  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog.getByLabel('Name').fill('The same again');
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await expect(dialog.getByText('already has a passkey for your account')).toBeVisible();
  await setTouched(false);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Rename Work laptop' }).click();
  await dialog.getByLabel('Name').fill('Laptop');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(passkeys().first()).toContainText('Laptop');
});

test('signs in alone, and meets a workspace’s requirement of a second factor', async () => {
  await openPage(page, `${product.baseUrl}/settings/members`);
  await page.getByRole('switch', { name: 'Require two-factor sign-in' }).click();
  await signOut();
  await expectAccessible();
  // With only the password the user gets to the setup, where the passkey is mentioned.
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/two-factor');
  await expect(page.getByText('sign in with your passkey')).toBeVisible();

  await signOut();
  await signInWithPasskey();
  await openPage(page, `${product.baseUrl}/settings/account`);
  await expect(passkeys().first()).toContainText('last used');
  await openPage(page, `${product.baseUrl}/settings/audit-log`);
  await expect(page.getByText('Added a passkey').first()).toBeVisible();
});

test('is offered in the email field, until somebody signs in otherwise', async () => {
  await signOut();
  await expect(page.getByLabel('Email address')).toHaveAttribute('autocomplete', 'username webauthn');
  await expect.poll(requests).toEqual(['waiting']);
  await page.getByLabel('Email address').fill(OWNER.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('The email address or the password is wrong.')).toBeVisible();
  await expect.poll(requests).toEqual(['ended', 'waiting']);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await expect.poll(requests).toEqual(['ended', 'ended']);

  await setTouched(true);
  await openPage(page, `${product.baseUrl}/sign-in`);
  await page.waitForURL('**/workflows');
  await setTouched(false);
});

test('somebody whom the device does not verify gets no further', async () => {
  await signOut();
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await usePasskey();
  await expect(page.getByText('No passkey was used')).toBeVisible();
  await expectAccessible();
  await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await signOut();
  await signInWithPasskey();
});

test('signs nobody in once it is deleted, and the page says why', async () => {
  const context = page.context();
  const cookies = await context.cookies();
  await signOut();
  // Only now: a page that requests its challenge with a session redirects to the workflows.
  await expect.poll(requests).toEqual(['waiting']);
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  // In another tab, which is signed in.
  await context.addCookies(cookies);
  const tab = await context.newPage();
  await openPage(tab, `${product.baseUrl}/settings/account`);
  await tab.getByRole('button', { name: 'Delete Laptop' }).click();
  await tab.getByRole('dialog').getByRole('button', { name: 'Delete passkey' }).click();
  await expect(tab.getByText('You have no passkeys yet.')).toBeVisible();
  await tab.close();
  await context.clearCookies();

  await usePasskey();
  await expect(page.getByText('does not know this passkey: it was deleted')).toBeVisible();
  await expectAccessible();
  await openPage(page, `${product.baseUrl}/sign-in`);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden();
});
