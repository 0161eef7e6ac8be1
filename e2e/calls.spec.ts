// A workflow calls another one: chosen in the editor, nested on the page of its run, and a cycle is refused when publishing.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { openPage } from './open-page.ts';
import { axeOn } from './settled.ts';
import { type SavedWorkflow, waitFor } from './seed.ts';

const CALLED = 'Greet somebody';
const CALLER = 'Orders that greet';

test('a workflow calls another one, both runs are on the page, and a call back is refused', async ({
  page,
  api,
}) => {
  const called = await api.post<SavedWorkflow>('/workflows', {
    name: CALLED,
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'set_variables',
        name: 'Greeting',
        settings: { variables: [{ name: 'greeting', value: 'Hi {{task_1_name}}!' }] },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  const canvas = new CanvasDriver(page);
  let production = '';

  await test.step('the workflow is selected in the task’s panel, and its card says so', async () => {
    await canvas.createWorkflow(api, CALLER);
    await canvas.openTask('Inbound webhook');
    ({ production } = await canvas.urls());
    await canvas.addAfter('Inbound webhook', 'Call a workflow');
    await canvas.choose('Workflow', CALLED);
    await canvas.panel.getByRole('button', { name: 'Add body field' }).click();
    await canvas.setField('Name', 'name');
    await canvas.setField('Value', '{{task_1_name}}');
    await expect(canvas.task('Call a workflow')).toContainText(`Calls “${CALLED}”`);
    await canvas.save();
    await canvas.publish();
  });

  const runId = await test.step('its run waits for the called one, and has its output', async () => {
    const answer = await postWebhook(production, { name: 'Kim' });
    const eventId = answer.headers.get('x-event-id') ?? '';
    return waitFor('the run', async () => {
      const { run_id } = await api.get<{ run_id: string }>(`/events/${eventId}`);
      const { status } = await api.get<{ status: string }>(`/runs/${run_id}`);
      return status === 'succeeded' ? run_id : undefined;
    });
  });

  await test.step('the page shows both, and the called run names its caller', async () => {
    await openPage(page, `/runs/${runId}`);
    await page.getByRole('button', { name: `Tasks of “${CALLED}”` }).click();
    const calls = page.getByRole('list', { name: 'Called runs' });
    await expect(calls).toContainText('Greeting');
    const { violations } = await (await axeOn(page)).include('main').analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.getByRole('link', { name: `Run of “${CALLED}”` }).click();
    await expect(page.getByRole('heading', { name: CALLED })).toBeVisible();
    await expect(page.getByRole('link', { name: `A run of “${CALLER}”` })).toBeVisible();
    await openPage(page, `/runs?workflow=${called.id}`);
    await expect(page.getByText('called', { exact: true })).toBeVisible();
  });

  await test.step('unpublishing the called one names the workflow that calls it; a call back is refused', async () => {
    await canvas.open(`/workflows/${called.id}`);
    await canvas.chooseFromMenu('Unpublish');
    const warning = page.getByRole('alertdialog');
    await expect(warning).toContainText(`“${CALLER}” calls this workflow.`);
    await warning.getByRole('button', { name: 'Cancel' }).click();
    await canvas.addAfter('Greeting', 'Call a workflow');
    await canvas.choose('Workflow', CALLER);
    await canvas.save();
    await page.getByRole('button', { name: /^Publish/ }).click();
    await page
      .getByRole('dialog', { name: 'Publish' })
      .getByRole('button', { name: 'Publish workflow' })
      .click();
    await expect(page.getByText(`${CALLED} → ${CALLER} → ${CALLED}`)).toBeVisible();
  });
});
