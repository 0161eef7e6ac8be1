import type { Page } from '@playwright/test';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { listScreens, seed } from './seed.ts';
import { waitUntilSettled } from './settled.ts';

/** Collects what the pages' Content-Security-Policy refused. */
async function watchViolations(page: Page): Promise<string[]> {
  const violations: string[] = [];
  await page.exposeFunction('tellViolation', (line: string) => void violations.push(line));
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) => {
      const tell = (globalThis as unknown as { tellViolation: (line: string) => void }).tellViolation;
      tell(`${event.effectiveDirective} ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`);
    }),
  );
  return violations;
}

test('no screen does what its Content-Security-Policy refuses', async ({ page, api, sandbox }) => {
  test.setTimeout(180_000);
  const violations = await watchViolations(page);
  const seeded = await seed(api, sandbox);
  for (const { name, path } of listScreens(seeded)) {
    await page.goto(path);
    await waitUntilSettled(page);
    expect.soft(violations.splice(0), name).toEqual([]);
  }

  await test.step('a dialog, a menu, the editor of a text with variables, a toast', async () => {
    const canvas = new CanvasDriver(page);
    await page.goto(`/workflows/${seeded.workflowId}`);
    await canvas.isReady();
    await canvas.openTask('Confirm the order');
    await canvas.setField('{{1}}', 'Kim');
    await canvas.isSaved();
    await page.goto('/workflows');
    await page.getByRole('combobox', { name: 'Sort by' }).click();
    await page.getByRole('option', { name: 'Name' }).click();
    await page.getByRole('button', { name: 'Actions for Order confirmation' }).first().click();
    await page.getByRole('menuitem', { name: /Duplicate/ }).click();
    await expect(page.locator('[data-sonner-toast]').first()).toBeVisible();
    await page.goto('/settings/members');
    await page
      .getByRole('button', { name: /Invite/ })
      .first()
      .click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(violations).toEqual([]);
  });
});

test('pages, answers that are none, and a page for those who are signed out say what a browser may do', async ({
  request,
  playwright,
  baseURL,
}) => {
  const signedOut = await playwright.request.newContext({
    baseURL: baseURL ?? '',
    storageState: { cookies: [], origins: [] },
  });
  const nonces = new Set<string>();
  for (const answer of [
    await request.get('/workflows'),
    await request.get('/workflows'),
    await request.get('/no-such-page'),
    await signedOut.get('/sign-in'),
  ]) {
    const headers = answer.headers();
    const policy = headers['content-security-policy'] ?? '';
    const [, nonce = ''] = /script-src 'self' 'nonce-([^']+)' 'strict-dynamic'/.exec(policy) ?? [];
    expect(await answer.text()).toContain(`nonce="${nonce}"`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(headers).toMatchObject({ 'referrer-policy': 'same-origin', 'x-content-type-options': 'nosniff' });
    expect(headers['permissions-policy']).toContain('camera=()');
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
  const data = await request.get('/api/v1/openapi.json');
  expect(data.headers()['content-security-policy']).toContain("default-src 'none'");
  await signedOut.dispose();
});
