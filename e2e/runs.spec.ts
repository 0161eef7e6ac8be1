import { execFileSync } from 'node:child_process';
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { type Api, postWebhook, type Sandbox } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { connectAccount, type SavedWorkflow, waitFor, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000002';
const NUMBER = '300000000000003';

/** A workflow that sends one message. Shared by all tests here: an account has one connection. */
let prepared: Promise<SavedWorkflow> | undefined;

async function prepare(api: Api, sandbox: Sandbox): Promise<SavedWorkflow> {
  const connectionId = await connectAccount(api, sandbox, 'Harbour Street Events', ACCOUNT);
  const workflow = await api.post<SavedWorkflow>('/workflows', {
    name: 'Hello to everybody',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Somebody', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Send a greeting',
        settings: {
          action: 'send_template',
          app_connection_id: connectionId,
          business_account_id: ACCOUNT,
          phone_number_id: NUMBER,
          recipient: '{{task_1_phone}}',
          template_name: 'hello_world',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await api.post(`/workflows/${workflow.id}/publish`);
  return workflow;
}

const countMessages = async (sandbox: Sandbox, customer: string): Promise<number> =>
  (await sandbox.get<{ count: number }>(`messages?to=${customer}`)).count;

test('a message whose answer was lost is never sent twice automatically; a person records its outcome', async ({
  page,
  api,
  sandbox,
}) => {
  const workflow = await (prepared ??= prepare(api, sandbox));
  const customer = '15550104321';
  await sandbox.post('faults', { kind: 'drop', path: `${NUMBER}/messages` });
  await postWebhook(workflow.webhook.production_url, { phone: customer });
  const run = await waitForRun(api, workflow.id);
  expect(run.status).toBe('failed');

  await openPage(page, `/runs/${run.id}`);
  await expect(page.getByText('Outcome unknown').first()).toBeVisible();
  await test.step('a retry says that it may be sent twice', async () => {
    await page.getByRole('button', { name: 'Retry from the failed task' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('Send a greeting');
    await expect(dialog).toContainText('may already have run; will run again');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });
  await page.getByRole('button', { name: 'It was sent: mark as done' }).click();
  await expect(page.getByText('Marked as done manually.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Send a greeting.*Succeeded/ })).toBeVisible();
  expect(await countMessages(sandbox, customer)).toBe(1);
});

test('failed runs are retried all at once, and the list follows live', async ({ page, api, sandbox }) => {
  const workflow = await (prepared ??= prepare(api, sandbox));
  const customers = ['15550104401', '15550104402', '15550104403'];
  await sandbox.post('faults', {
    kind: 'error',
    code: 100,
    path: `${NUMBER}/messages`,
    times: customers.length,
  });
  await openPage(page, `/runs?workflow=${workflow.id}&status=failed`);
  for (const phone of customers) await postWebhook(workflow.webhook.production_url, { phone });
  // They appear automatically.
  await expect(page.getByText(`${customers.length} runs`)).toBeVisible();
  await page.getByRole('button', { name: 'Retry all matching failed runs' }).click();
  await page.getByRole('button', { name: `Retry ${customers.length} runs` }).click();
  await expect(page.getByText(`${customers.length} retried`)).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByText('No run matches')).toBeVisible();
  for (const customer of customers) await expect.poll(() => countMessages(sandbox, customer)).toBe(1);
});

test('a run is found by a text in its event', async ({ page, api, sandbox }) => {
  const workflow = await (prepared ??= prepare(api, sandbox));
  await postWebhook(workflow.webhook.production_url, { phone: '15550104500', note: 'the red umbrella' });
  await waitForRun(api, workflow.id);
  await openPage(page, '/runs');
  await page.getByLabel('Text in the event').fill('RED umbrella');
  await expect(page.getByText('One run')).toBeVisible();
  await expect(page).toHaveURL(/text=RED\+umbrella/);
});

test('with full text, events are found by any part of their words, and the list says so', async ({
  page,
  api,
  sandbox,
  product,
}) => {
  const patchbay = (...args: string[]): string =>
    execFileSync(process.execPath, ['server/patchbay.ts', 'search', ...args], {
      env: { ...process.env, PATCHBAY_DATA_DIR: product.dataFolder },
      encoding: 'utf8',
    });
  const workflow = await (prepared ??= prepare(api, sandbox));
  await postWebhook(workflow.webhook.production_url, { phone: '15550104501', note: 'Überseekoffer A-1001' });
  await waitForRun(api, workflow.id);
  await openPage(page, '/events');
  const search = page.getByLabel('Text in the event');
  await search.fill('SEEKOFFER a-10');
  await expect(page.getByText('Searching the bodies and headers of events, newest first.')).toBeVisible();
  await expect(page.getByText('One event')).toBeVisible();
  expect(patchbay('on')).toContain('Full-text search is on');
  await search.fill('ÜBERSEEKOFF');
  await expect(page.getByText('Full-text search in the bodies and headers')).toBeVisible();
  await expect(page.getByText('One event')).toBeVisible();
  await search.fill('no such suitcase');
  await expect(page.getByText('No event matches')).toBeVisible();
  expect(patchbay('off')).toContain('Full-text search is off');
});

test('who is signed out while looking is told so, and comes back to the same list', async ({
  page,
  context,
}) => {
  await openPage(page, '/runs?status=failed');
  await expect(page.getByRole('heading', { name: 'Runs' })).toBeVisible();
  await context.clearCookies();
  await expect(page.getByText('You are signed out')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in again' })).toHaveAttribute(
    'href',
    `/sign-in?next=${encodeURIComponent('/runs?status=failed')}`,
  );
  const answer = await page.request.get('/runs/list');
  expect(answer.status()).toBe(401);
  expect(answer.headers()['content-type']).toContain('application/json');
  expect(await answer.json()).toMatchObject({ error: { code: 'unauthorized' } });
});

test('a run leads to the editor, where its event is the sample and the task that failed is open', async ({
  page,
  api,
  sandbox,
}) => {
  const workflow = await (prepared ??= prepare(api, sandbox));
  await postWebhook(workflow.webhook.production_url, { phone: '15x', note: 'first of two' });
  const failed = await waitForRun(api, workflow.id);
  expect(failed.status).toBe('failed');
  await postWebhook(workflow.webhook.production_url, { phone: '15550104600', note: 'second of two' });
  await openPage(page, `/runs/${failed.id}`);
  await page.getByRole('link', { name: 'Open in the editor with this event as the sample' }).click();
  await expect(page.getByRole('complementary').getByText('15x').first()).toBeVisible();
});

test('runs with the same value run in order: one says for which other it waits', async ({ page, api }) => {
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'In order',
    tasks: [
      { id: 1, type: 'inbound_webhook', settings: {} },
      { id: 2, type: 'delay', name: 'Wait', settings: { mode: 'for', amount: 2, unit: 'days' } },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=1`);
  await canvas.panel.getByText('Order', { exact: true }).click();
  await canvas.panel.getByLabel('Run in order by').fill('{{order}}');
  await canvas.save();
  await canvas.closeTask();
  await canvas.publish();
  const first = await waitForRunOf(api, id, webhook.production_url, 'waiting');
  const second = await waitForRunOf(api, id, webhook.production_url, 'queued');

  await openPage(page, `/runs?workflow=${id}`);
  await expect(page.getByText('Waits for an earlier run with the same value.')).toBeVisible();
  await openPage(page, `/runs/${second}`);
  await page.getByRole('link', { name: first.slice(-12) }).click();
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel run' }).click();
  await expect(page.getByText('Cancelled').first()).toBeVisible();
  await waitFor('the second run', async () => {
    const { status } = await api.get<{ status: string }>(`/runs/${second}`);
    return status === 'waiting' || undefined;
  });
});

test('webhooks that follow each other become one run, which says until when it collects them', async ({
  page,
  api,
}) => {
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'When it is quiet',
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'Order changed', settings: {} },
      { id: 2, type: 'loop', name: 'Each change', settings: { items: '' } },
      { id: 3, type: 'set_variables', name: 'Keep', settings: { variables: [{ name: 'n', value: 'x' }] } },
    ],
    edges: [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
    ],
  });
  const canvas = new CanvasDriver(page);
  await canvas.open(`/workflows/${id}?task=1`);
  await canvas.panel.getByText('Bursts', { exact: true }).click();
  const seconds = canvas.panel.getByLabel('Wait for quiet, in seconds');
  await seconds.fill('0');
  await seconds.blur();
  await expect(canvas.panel.getByText('At least 1 second.')).toBeVisible();
  await seconds.fill('600');
  await canvas.panel.getByLabel('Collect by').fill('{{order}}');
  await canvas.save();
  await canvas.closeTask();
  await canvas.open(`/workflows/${id}?task=2`);
  await canvas.panel
    .locator('[data-field="settings.items"]')
    .getByRole('button', { name: 'Insert a variable' })
    .click();
  await page.keyboard.type('webhooks');
  await page.keyboard.press('Enter');
  await canvas.save();
  await canvas.closeTask();
  await canvas.publish();
  for (const n of [1, 2, 3]) await postWebhook(webhook.production_url, { order: 'A-1', n });

  await openPage(page, `/runs?workflow=${id}`);
  await expect(page.getByText('Collects webhooks until')).toHaveCount(1);
  const [run] = (await api.get<{ data: { id: string }[] }>(`/runs?workflow_id=${id}`)).data;
  await openPage(page, `/runs/${run?.id}`);
  await expect(page.getByText('Collects webhooks', { exact: true })).toBeVisible();
  await page.getByText('3 webhooks').click();
  const events = page.locator('details').getByRole('link');
  await expect(events).toHaveCount(3);
  await events.nth(2).click();
  await expect(page.getByText('Joined a run')).toBeVisible();
  await openPage(page, `/runs/${run?.id}`);
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel run' }).click();
  await expect(page.getByText('Cancelled').first()).toBeVisible();
  await expect(page.getByText('Collects webhooks', { exact: true })).toBeHidden();
});

/** Starts a run with the value, and waits until it has this status. */
async function waitForRunOf(api: Api, workflowId: string, url: string, status: string): Promise<string> {
  const answer = await postWebhook(url, { order: 'A-1' });
  const eventId = answer.headers.get('x-event-id');
  return waitFor('the run', async () => {
    const { data } = await api.get<{ data: { id: string; event_id: string; status: string }[] }>(
      `/runs?workflow_id=${workflowId}`,
    );
    return data.find((run) => run.event_id === eventId && run.status === status)?.id;
  });
}
