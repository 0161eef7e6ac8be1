// Sends whose message the platform accepts but does not send immediately, and the later statuses.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnection } from '#lib/messaging/connections/create-connection.ts';
import { subscribeNotifications } from '#lib/messaging/connections/subscribe-notifications.ts';
import { callGraph } from '#lib/messaging/platform/graph.ts';
import { findMessage } from '#lib/messaging/sending/find-message.ts';
import { listenForPlatform } from '#lib/messaging/testing/listen-for-platform.ts';
import {
  type MessagingWorld,
  PLATFORM_IDS,
  startMessagingWorld,
} from '#lib/messaging/testing/messaging-world.ts';
import { failAction, runAction } from '#lib/messaging/testing/run-action.ts';

const SCOPES = ['whatsapp_business_management', 'whatsapp_business_messaging'];

let world: MessagingWorld;
let base: Record<string, unknown>;
let templateId: string;
let stopListening: () => void;
beforeAll(async () => {
  world = await startMessagingWorld({ MESSAGING_SCOPES: SCOPES.join(' ') }, { strict: true });
  const { baseUrl, close } = await listenForPlatform(world.runtime);
  stopListening = close;
  const ctx = { ...world.ctx, baseUrl };
  const { access_token: accessToken } = await world.mint({ scopes: SCOPES, expires_in: 'never' });
  const input = { name: 'Books', access_token: accessToken, business_account_id: PLATFORM_IDS.books };
  const { id } = await createConnection(ctx, input);
  await subscribeNotifications(ctx, { id });
  base = {
    app_connection_id: id,
    business_account_id: PLATFORM_IDS.books,
    phone_number_id: PLATFORM_IDS.booksOrders,
    recipient: '4915557010123',
    action: 'send_template',
    template_name: 'hello_world',
  };
  const path = [PLATFORM_IDS.books, 'message_templates'];
  const { data } = await callGraph(
    { settings: ctx.platform, accessToken },
    { method: 'GET', path, query: { name: 'hello_world' } },
  );
  templateId = (data as { id: string; name: string }[]).find(({ name }) => name === 'hello_world')?.id ?? '';
});
afterAll(async () => {
  stopListening();
  await world.end();
});
beforeEach(() => pace(null));

const pace = (pacing: string | null) => world.control('POST', `templates/${templateId}`, { pacing });
const known = (messageId: unknown) => findMessage(world.ctx, String(messageId));

describe('a message that is held for a quality check', () => {
  test('says so, and is delivered when the check ends', async () => {
    await pace('held_for_quality_assessment');
    const { output, runText } = await runAction(world, base);
    expect(output).toMatchObject({ message_status: 'held_for_quality_assessment' });
    expect(runText).toMatch(/^Template sent successfully\. Held by the platform for a quality check/);
    expect(await known(output['message_id'])).toMatchObject({
      status: 'accepted',
      withheld: 'held_for_quality_assessment',
    });
    await pace(null);
    await expect
      .poll(() => known(output['message_id']))
      .toMatchObject({ status: 'delivered', withheld: null });
  });

  test('fails with 132015 when the template is paused', async () => {
    await pace('held_for_quality_assessment');
    const { output } = await runAction(world, base);
    await world.control('POST', `templates/${templateId}`, { status: 'PAUSED' });
    await expect
      .poll(() => known(output['message_id']))
      .toMatchObject({ status: 'failed', withheld: null, errors: [{ code: 132015 }] });
    await world.control('POST', `templates/${templateId}`, { status: 'APPROVED' });
  });

  test('has no status yet, which get_message_status says', async () => {
    await pace('held_for_quality_assessment');
    const { output } = await runAction(world, base);
    const asked = { ...base, action: 'get_message_status', message_id: output['message_id'] };
    expect((await failAction(world, asked)).message).toContain('Held by the platform for a quality check');
  });
});

test('a message of a paused template says that it is not sent', async () => {
  await pace('paused');
  const { output, runText } = await runAction(world, base);
  expect(output).toMatchObject({ message_status: 'paused' });
  expect(runText).toContain('Not sent: the template is paused');
});

test('a message that goes out says accepted; where the platform says nothing, there is nothing', async () => {
  expect((await runAction(world, base)).output).toMatchObject({ message_status: 'accepted' });
  await world.customerWrites('4915557010123');
  const text = await runAction(world, { ...base, action: 'send_text', message_text: 'Hello!' });
  expect(text.output).not.toHaveProperty('message_status');
  expect(text.runText).toBe('Text message sent successfully.');
});
