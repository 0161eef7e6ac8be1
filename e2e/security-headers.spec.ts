import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { listAttacks, startForeignPage } from './foreign-page.ts';
import { type Api, postWebhook, type Sandbox } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow } from './seed.ts';
import { waitUntilSettled } from './settled.ts';
import { watchViolations } from './watch-violations.ts';

test('no screen does what its Content-Security-Policy refuses', async ({ page, seeded, visits }) => {
  expect(visits.length).toBeGreaterThan(20);
  for (const visit of visits) expect.soft(visit.violations, visit.name).toEqual([]);

  await test.step('a dialog, a menu, the editor of a text with variables, a toast', async () => {
    const violations = await watchViolations(page);
    const canvas = new CanvasDriver(page);
    await canvas.open(`/workflows/${seeded.workflowId}`);
    await canvas.openTask('Confirm the order');
    await canvas.setField('{{1}}', 'Kim');
    await canvas.save();
    await openPage(page, '/workflows');
    await page.getByRole('combobox', { name: 'Sort by' }).click();
    await page.getByRole('option', { name: 'Name' }).click();
    await waitUntilSettled(page);
    await page.getByRole('button', { name: 'Actions for Order confirmation' }).first().click();
    await page.getByRole('menuitem', { name: /Duplicate/ }).click();
    await expect(page.locator('[data-sonner-toast]').first()).toBeVisible();
    await openPage(page, '/settings/members');
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

interface PublicAddress {
  url: string;
  method: 'get' | 'post';
  fields?: Record<string, string>;
  isDownload?: boolean;
}

const publish = (
  api: Api,
  name: string,
  settings: Record<string, unknown>,
  then: { type: string; settings: Record<string, unknown> }[] = [],
): Promise<SavedWorkflow> =>
  api.post<SavedWorkflow>('/workflows', {
    name,
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: { body_types: 'json_and_forms', ...settings } },
      ...then.map((task, index) => ({ id: index + 2, name: `Task ${index + 2}`, ...task })),
    ],
    edges: then.map((_, index) => ({ from: index + 1, to: index + 2 })),
  });

/** A webhook that responds with the URL from its second task. */
const publishLinks = (api: Api, type: string, settings: Record<string, unknown>): Promise<SavedWorkflow> =>
  publish(
    api,
    `Link of ${type}`,
    { response_type: 'after_workflow', response_body: '{{task_2_url}}', response_format: 'text' },
    [{ type, settings }],
  );

const linkOf = async ({ webhook }: SavedWorkflow, body: Record<string, string>): Promise<string> =>
  (await postWebhook(webhook.production_url, body)).text();

/** A customer sends a file. @returns its id */
async function sendFile(sandbox: Sandbox, text: string): Promise<string> {
  const { payload } = await sandbox.post<{ payload: { document: { id: string } } }>('customer-messages', {
    customer: '15550103902',
    phone_number_id: '300000000000005',
    media: {
      kind: 'document',
      base64: Buffer.from(text).toString('base64'),
      mime_type: 'text/plain',
      filename: 'order.xhtml',
    },
  });
  return payload.document.id;
}

test('no public address runs a script that came from somebody else, whoever is signed in', async ({
  page,
  api,
  sandbox,
}) => {
  test.setTimeout(180_000);
  const foreign = await startForeignPage();
  const attacks = listAttacks(foreign.url);
  const connectionId = await connectAccount(api, sandbox, 'Corner Bakery', '200000000000004');
  const addresses: Record<string, PublicAddress> = {};

  const formats = [...Object.keys(attacks).map((kind) => [kind, 'auto']), ['xhtml', 'text']] as const;
  for (const [kind = '', format] of formats) {
    const { webhook } = await publish(api, `${kind} as ${format}`, {
      response_body: attacks[kind as keyof typeof attacks],
      response_format: format,
    });
    addresses[`webhook, ${kind} as ${format}`] = { url: webhook.production_url, method: 'post' };
    addresses['webhook-test'] = { url: webhook.test_url, method: 'post' };
  }

  await openPage(page, `/connections/${connectionId}`);
  const hook = (await page.getByLabel('callback URL', { exact: true }).textContent()) ?? '';
  const verifyToken = (await page.getByLabel('verify token', { exact: true }).textContent()) ?? '';
  const approvals = await publishLinks(api, 'approval_link', {
    question: '{{task_1_text}}',
    details: '{{task_1_text}}',
  });
  const downloads = await publishLinks(api, 'messaging_business_more', {
    action: 'get_media',
    app_connection_id: connectionId,
    media_id: '{{task_1_media_id}}',
    filename: 'order.xhtml',
  });
  for (const [kind, text] of Object.entries(attacks)) {
    const approval = await linkOf(approvals, { text });
    addresses[`resume, ${kind}`] = { url: approval, method: 'get' };
    addresses[`resume, ${kind} posted`] = { url: approval, method: 'post', fields: { comment: text } };
    const file = await linkOf(downloads, { media_id: await sendFile(sandbox, text) });
    addresses[`file, ${kind}`] = { url: file, method: 'get', isDownload: true };
    const handshake = { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': text };
    addresses[`hook, ${kind}`] = { url: hook, method: 'get', fields: handshake };
  }

  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.isNavigationRequest()) asked.push(request.url());
  });
  const fieldsOf = ({ fields = { html: attacks.html } }: PublicAddress) => fields;
  for (const [name, address] of Object.entries(addresses)) {
    const { url, method, isDownload } = address;

    await page.goto(foreign.pageWith({ method, action: url, fields: fieldsOf(address) }));
    const shown = isDownload
      ? page.waitForEvent('download')
      : page.waitForURL((now) => url.startsWith(now.origin));
    const answered = page.waitForResponse((response) => response.url().startsWith(url));
    const [answer] = await Promise.all([answered, shown, page.getByRole('button', { name: 'Send' }).click()]);
    const headers = answer.headers();
    expect.soft(headers['content-security-policy'] ?? '', name).toMatch(/^default-src 'none'; .*sandbox/);
    expect.soft(headers['x-content-type-options'], name).toBe('nosniff');
    expect.soft(asked.splice(0), name).toEqual([]);
  }
  expect(foreign.told).toEqual([]);
  await foreign.stop();
});
