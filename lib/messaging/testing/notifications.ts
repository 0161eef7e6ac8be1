// Shared by the tests of notifications: the platform's bodies, their signatures and their delivery.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { getReceiver } from '#lib/messaging/connections/receivers.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { receiveNotification } from '#lib/messaging/notifications/hook-route.ts';
import type { ReceiverDeps } from '#lib/messaging/notifications/receiver-answers.ts';
import { type MessagingWorld, PLATFORM_IDS, startMessagingWorld } from './messaging-world.ts';

export const PHONE = PLATFORM_IDS.booksOrders;
/** A workflow with only a trigger. */
export const GRAPH: WorkflowGraph = {
  tasks: [{ id: 1, type: 'inbound_webhook', name: 'Trigger', settings: {} }],
  edges: [],
};

/** A connection whose notifications a test file can deliver; its properties are available once the tests run. */
export class NotificationsTest {
  world!: MessagingWorld;
  deps!: ReceiverDeps;
  connectionId = '';
  /** Of the connection's receiver. */
  token = '';

  async start(): Promise<void> {
    this.world = await startMessagingWorld();
    const { hot: pool, secrets, platform, logger } = this.world.runtime;
    this.deps = { pool, secrets, appSecret: platform.appSecret, logger };
    this.connectionId = (await this.world.connect()).id;
    const { url } = await getReceiver(this.world.ctx, { id: this.connectionId });
    this.token = url.split('/').at(-1) ?? '';
  }

  sign(body: string | Buffer, secret = this.world.clientSecret): string {
    return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  }

  deliver(body: string, signature: string | null = this.sign(body)) {
    return receiveNotification(this.deps, { token: this.token, rawBody: Buffer.from(body), signature });
  }

  /** A workflow of the world's workspace. */
  async addWorkflow(): Promise<string> {
    const { workflowId } = await insertWorkflow(this.world.runtime.hot, GRAPH);
    await this.world.runtime.hot.query('update workflows set workspace_id = $1 where id = $2', [
      this.world.workspaceId,
      workflowId,
    ]);
    return workflowId;
  }

  /** The bodies of the events that triggered a workflow. */
  async eventsOf(workflowId: string): Promise<JsonObject[]> {
    const { rows } = await this.world.runtime.hot.query<{ body: Buffer }>(
      `select e.body from events e join runs r on r.id = e.run_id where e.workflow_id = $1 order by e.id`,
      [workflowId],
    );
    return rows.map((row) => JSON.parse(row.body.toString()) as JsonObject);
  }
}

/** Creates a connection for a test file. */
export function setUpNotifications(): NotificationsTest {
  const receiver = new NotificationsTest();
  beforeAll(() => receiver.start());
  afterAll(() => receiver.world.end());
  beforeEach(() =>
    receiver.world.runtime.hot.query('delete from connection_subscriptions; delete from events'),
  );
  return receiver;
}

let number = 0;
export const newMessageId = (): string => `wamid.test${(number += 1)}`;

export const notification = (...values: object[]): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: PLATFORM_IDS.books,
        time: 1_700_000_000,
        changes: values.map((value) => ({
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '12125550101', phone_number_id: PHONE },
            ...value,
          },
        })),
      },
    ],
  });

export const message = (
  id: string,
  from: string,
  at: number,
  more: object = { type: 'text', text: { body: 'Hi' } },
): object => ({
  contacts: [{ wa_id: from, profile: { name: 'Customer' } }],
  messages: [{ id, from, timestamp: String(at), ...more }],
});

export const status = (id: string, name: string, at: number, more: object = {}): object => ({
  statuses: [{ id, status: name, timestamp: String(at), recipient_id: '15550001111', ...more }],
});
