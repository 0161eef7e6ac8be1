// Webhooks of workflows that compute and that each send a message to a separate customer, and messages from customers.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'node:http';
import { IDS } from '../../sandbox/data/businesses.ts';
import type { Acknowledged, Load } from './check.ts';
import { postWebhook } from './post-webhook.ts';
import type { Product } from './product.ts';
import { untilItWorks } from './until-it-works.ts';
import {
  answerSlowly,
  createComputing,
  prepareWorkflows,
  type Workflow,
  type Workflows,
} from './workflows.ts';

const POSTERS = 8;
const PAUSE_MS = 25;
/** Per this many webhooks, one at most sends messages, one is for a workflow that may be deleted, and one customer writes. */
const ROUND = 8;
const FOR_SHORT_LIVED = 3;
const CUSTOMER_WRITES = 5;
/**
 * Time between orders at least: the four messages of each are three quarters of what the platform accepts from a number. With more, a
 * fast machine has a queue that is not empty when the runs are counted.
 */
const ORDER_MS = 1000 / 15;

interface Sent extends Acknowledged {
  /** Time by `Date.now`. */
  sentAt: number;
}

export class Traffic implements Load {
  readonly workflows: Workflows;
  readonly acknowledged: Sent[] = [];
  readonly written: string[] = [];
  refused = 0;
  readonly #product: Product;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: POSTERS });
  #shortLived: Workflow;
  #posters: Promise<void>[] = [];
  #isOver = false;
  #count = 0;
  #nextOrder = 1;
  #nextOrderMs = 0;

  private constructor(product: Product, workflows: Workflows, shortLived: Workflow) {
    this.#product = product;
    this.workflows = workflows;
    this.#shortLived = shortLived;
  }

  static async prepare(product: Product): Promise<Traffic> {
    const workflows = await prepareWorkflows(product.calls);
    await answerSlowly(product.calls);
    return new Traffic(product, workflows, await createComputing(product.calls, 0));
  }

  start(): void {
    this.#posters = Array.from({ length: POSTERS }, async () => {
      while (!this.#isOver) {
        this.#count += 1;
        await this.#post(this.#count);
        await sleep(PAUSE_MS);
      }
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#posters);
    this.#agent.destroy();
  }

  /** Publishes the computing workflow again. */
  publish(): Promise<void> {
    return this.#call('POST', `/workflows/${this.workflows.computing.id}/publish`);
  }

  setActive(isActive: boolean): Promise<void> {
    return this.#call('POST', `/workflows/${this.workflows.computing.id}/${isActive ? 'activate' : 'pause'}`);
  }

  /** Deletes a workflow while its webhooks arrive, and creates a new one like it. */
  async deleteWorkflow(): Promise<void> {
    await this.#call('DELETE', `/workflows/${this.#shortLived.id}`, [404]);
    this.#shortLived = await untilItWorks(() => createComputing(this.#product.calls, 0));
  }

  /** Whether a later webhook was acknowledged and its run has ended. */
  async hasWorkedSince(instant: number): Promise<boolean> {
    const ids: string[] = [];
    for (let at = this.acknowledged.length - 1; at >= 0 && ids.length < POSTERS * 4; at -= 1) {
      const { eventId, sentAt } = this.acknowledged[at] as Sent;
      if (sentAt >= instant) ids.push(eventId);
    }
    if (ids.length === 0) return false;
    const { rows } = await this.#product.db.$client.query(
      `select from events e join runs r on r.id = e.run_id where e.id = any($1::uuid[]) and r.finished_at is not null limit 1`,
      [ids],
    );
    return rows.length > 0;
  }

  /** Other faults may be in progress. */
  #call(method: string, path: string, isDone: readonly number[] = []): Promise<void> {
    return untilItWorks(async () => {
      try {
        await this.#product.calls.api(method, path, method === 'POST' ? {} : undefined);
      } catch (error) {
        // The response to an earlier attempt may have been lost.
        if (!isDone.some((status) => (error as Error).message.includes(`: ${status} `))) throw error;
      }
    });
  }

  async #post(number: number): Promise<void> {
    const turn = number % ROUND;
    // The sandbox treats numbers with certain endings specially; no such ending is a seven.
    const phone = `1555${1_000_000 + number}7`;
    if (turn === CUSTOMER_WRITES) return this.#write(phone, `M-${number}`);
    const isShortLived = turn === FOR_SHORT_LIVED;
    const isOrder = !isShortLived && this.#takeOrder(number);
    const id = isOrder ? `C-${number}` : String(number);
    const { sending, computing } = this.workflows;
    const workflow = isOrder ? sending : isShortLived ? this.#shortLived : computing;
    const sentAt = Date.now();
    const eventId = await postWebhook(this.#agent, workflow.webhook.production_url, { id, phone });
    if (eventId === undefined) this.refused += 1;
    else this.acknowledged.push({ eventId, id, sentAt });
  }

  /** Whether an order is due; then the next one is not, for a moment. */
  #takeOrder(number: number): boolean {
    const now = performance.now();
    if (number < this.#nextOrder || now < this.#nextOrderMs) return false;
    this.#nextOrder = number + ROUND;
    // Nothing is made up for after a pause.
    this.#nextOrderMs = Math.max(this.#nextOrderMs, now - ORDER_MS) + ORDER_MS;
    return true;
  }

  /** The platform accepts it, and notifies the product until it responds. */
  async #write(customer: string, text: string): Promise<void> {
    const message = { customer, phone_number_id: IDS.booksOrders, text };
    try {
      await this.#product.calls.control('POST', 'customer-messages', message);
    } catch (error) {
      // fetch's error for a broken connection: whether the platform has the message is unknown, so that nothing is expected.
      if (error instanceof TypeError) return;
      throw error;
    }
    this.written.push(text);
  }
}
