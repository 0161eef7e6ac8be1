// More than texts: buttons, offered under their own name in the list of tasks and shown on the customer's phone; and a file
// from a customer.
import { CanvasDriver } from './canvas-driver.ts';
import { expect, test } from './fixtures.ts';
import { postWebhook } from './http-clients.ts';
import { connectAccount, type SavedWorkflow, waitForRun } from './seed.ts';

const ACCOUNT = '200000000000004';
const PHONE = '300000000000005';
const CUSTOMER = '15550103901';

test('buttons, built by mouse, are on the customer’s phone and can be tapped', async ({
  page,
  context,
  api,
  sandbox,
}) => {
  await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  await sandbox.post('customer-messages', { customer: CUSTOMER, phone_number_id: PHONE, text: 'Hello' });
  const canvas = new CanvasDriver(page);
  const label = (place: number) => canvas.panel.locator(`[data-field="settings.buttons[${place}].title"]`);

  await test.step('the task is added by its own name', async () => {
    await canvas.createWorkflow(api, 'Ask for a day');
    await canvas.addAfter('Inbound webhook', 'Send buttons');
    await expect(canvas.chosen('Action')).toContainText('Send buttons');
    await canvas.chooseSender('Corner Bakery');
    await canvas.setField('Recipient', '{{task_1_phone}}');
    await canvas.setField('Text', 'When do you come, {{task_1_name}}?');
  });

  await test.step('a label that is too long is found, and no more once it is shorter', async () => {
    await canvas.panel.getByRole('button', { name: 'Add button' }).click();
    await canvas.setField('Label', 'On Monday in the morning');
    // A new task shows no problem of a field before the focus has left it for the first time.
    await page.keyboard.press('Tab');
    await expect(label(0)).toContainText('The label has 24 characters: at most 20 are possible.');
    await canvas.setField('Label', 'Monday');
    await expect(label(0)).not.toContainText('characters');
    await canvas.panel.getByRole('button', { name: 'Add button' }).click();
    await canvas.setField('Label', 'Tuesday', 1);
    await expect(canvas.task('Send buttons')).toContainText('When do you come');
    await canvas.save();
    await canvas.publish();
  });

  await test.step('the message is on the phone, and a tap on a button is an answer', async () => {
    const id = new URL(page.url()).pathname.split('/')[2] ?? '';
    const { webhook } = await api.get<SavedWorkflow>(`/workflows/${id}`);
    const phone = await context.newPage();
    await phone.goto(`${sandbox.url}/phone/${CUSTOMER}?with=${PHONE}`);
    expect((await postWebhook(webhook.production_url, { phone: CUSTOMER, name: 'Kim' })).status).toBe(200);
    const bubble = phone.locator('.bubble.theirs', { hasText: 'When do you come, Kim?' });
    await bubble.getByRole('button', { name: 'Tuesday' }).click();
    await expect(phone.locator('.bubble.mine').last()).toContainText('Tuesday');
    await expect(phone.locator('.bubble.mine blockquote').last()).toContainText('When do you come, Kim?');
  });
});

test('a file that a customer sent is downloaded, and its link gives it to whoever has it', async ({
  api,
  sandbox,
  request,
}) => {
  const connectionId = await connectAccount(api, sandbox, 'Corner Bakery', ACCOUNT);
  const picture = Buffer.from('a picture, as far as anybody knows');
  const { payload } = await sandbox.post<{ payload: { image: { id: string } } }>('customer-messages', {
    customer: CUSTOMER,
    phone_number_id: PHONE,
    image: { base64: picture.toString('base64'), mime_type: 'image/png' },
  });
  const { id, webhook } = await api.post<SavedWorkflow>('/workflows', {
    name: 'Keep what customers send',
    publish: true,
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'messaging_business_more',
        name: 'Download',
        settings: {
          action: 'get_media',
          app_connection_id: connectionId,
          media_id: '{{task_1_media_id}}',
          filename: 'parcel.png',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  });
  await postWebhook(webhook.production_url, { media_id: payload.image.id });
  const { id: runId } = await waitForRun(api, id);
  const { tasks } = await api.get<{ tasks: { task_id: number; output: { url: string } }[] }>(
    `/runs/${runId}`,
  );
  const url = tasks.find((task) => task.task_id === 2)?.output.url ?? '';
  const file = await request.get(url);
  expect({ status: file.status(), body: await file.body() }).toEqual({ status: 200, body: picture });
  expect(file.headers()).toMatchObject({
    'content-disposition': `attachment; filename="parcel.png"; filename*=UTF-8''parcel.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  const wrong = await request.get(url.replace('/files/', '/files/x'));
  expect({ status: wrong.status(), text: await wrong.text() }).toMatchObject({
    status: 403,
    text: expect.stringContaining('not valid'),
  });
});
