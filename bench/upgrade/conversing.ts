// Continuous conversations that last for seconds, so that some wait for a customer or a reminder at any time.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#lib/testing/random.ts';
import { Customers } from '../chaos/conversations/customers.ts';
import { prepareConversation } from '../chaos/conversations/workflow.ts';
import { postWebhook } from '../chaos/post-webhook.ts';
import type { Workflow } from '../chaos/workflows.ts';
import type { World } from './world.ts';

const EVERY_MS = 250;
const WINDOW_PATIENCE_MS = 60_000;

export class Conversing {
  readonly workflow: Workflow;
  readonly customers: Customers;
  readonly eventIds: string[] = [];
  readonly #phones: string[];
  readonly #agent = new Agent({ keepAlive: true });
  #starting: Promise<void> | undefined;
  #isOver = false;

  private constructor(workflow: Workflow, customers: Customers, phones: string[]) {
    this.workflow = workflow;
    this.customers = customers;
    this.#phones = phones;
  }

  /** Needs a subscribed connection. Opens the windows of as many customers as may be needed in this many seconds. */
  static async prepare({ calls, db }: World, seconds: number): Promise<Conversing> {
    const connections = await calls.api<{ data: { id: string }[] }>('GET', '/connections');
    const connected = connections.data[0]?.id;
    const workflow = await prepareConversation(calls, connected === undefined ? {} : { connected });
    const customers = new Customers(calls, new Random(1));
    // The sandbox treats numbers with certain endings specially; no such ending is a seven. Others get confirmations.
    const count = Math.ceil((seconds * 1000) / EVERY_MS);
    const phones = Array.from({ length: count }, (_, index) => `1666${1_000_000 + index}7`);
    for (const phone of phones) await customers.write(phone);
    const countOpen = async (): Promise<number> =>
      (await db.$client.query<{ count: number }>('select count(*)::int as count from conversation_windows'))
        .rows[0]?.count ?? 0;
    for (const deadline = Date.now() + WINDOW_PATIENCE_MS; (await countOpen()) < count; await sleep(200))
      if (Date.now() > deadline) throw new Error('The windows of the customers do not open.');
    return new Conversing(workflow, customers, phones);
  }

  start(): void {
    this.customers.start();
    this.#starting = this.#startOneAfterAnother();
  }

  /** Starts no further ones; customers continue to answer. */
  async stopStarting(): Promise<void> {
    this.#isOver = true;
    await this.#starting;
    this.#agent.destroy();
  }

  /** Each attempt has its own customer: one that was not acknowledged may still run. */
  async #startOneAfterAnother(): Promise<void> {
    for (let phone = this.#phones.pop(); phone !== undefined && !this.#isOver; phone = this.#phones.pop()) {
      const eventId = await postWebhook(this.#agent, this.workflow.webhook.production_url, {
        id: phone,
        phone,
      });
      if (eventId !== undefined) this.eventIds.push(eventId);
      await sleep(EVERY_MS);
    }
  }
}
