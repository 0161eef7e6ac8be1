// Webhooks of two workflows: one whose tasks only compute and wait, and one that sends a message to a customer of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'node:http';
import { IDS } from '../../sandbox/data/businesses.ts';
import type { Product } from './product.ts';

const POSTERS = 8;
const PAUSE_MS = 15;
/** Every so many webhooks one sends a message. */
const SEND_EVERY = 8;

interface Workflow {
  id: string;
  webhook: { production_url: string };
}

export interface Acknowledged {
  eventId: string;
  /** The order whose message is sent, if one is. */
  order: string | undefined;
}

export class Traffic {
  readonly acknowledged: Acknowledged[] = [];
  refused = 0;
  readonly #product: Product;
  readonly #computing: Workflow;
  readonly #sending: Workflow;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: POSTERS });
  #posters: Promise<void>[] = [];
  #isOver = false;
  #count = 0;

  private constructor(product: Product, computing: Workflow, sending: Workflow) {
    this.#product = product;
    this.#computing = computing;
    this.#sending = sending;
  }

  static async prepare(product: Product): Promise<Traffic> {
    const api = <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
      product.call(method, `${product.base}/api/v1${path}`, body);
    const control = (method: string, path: string, body?: unknown) =>
      product.call<{ access_token: string; refresh_token: string; expires_in: number }>(
        method,
        `${product.sandbox.url}/__sandbox/${path}`,
        body,
      );
    const tokens = await control('POST', 'tokens', {});
    const { id: connection } = await api<{ id: string }>('POST', '/connections', {
      name: 'Books',
      access_token: tokens.access_token,
      refresh_token: tokens.refresh_token,
      expires_in: tokens.expires_in,
      business_account_id: IDS.books,
    });
    const trigger = { id: 1, type: 'inbound_webhook', settings: {} };
    const computing = await api<Workflow>('POST', '/workflows', {
      name: 'Compute and wait',
      publish: true,
      tasks: [
        trigger,
        {
          id: 2,
          type: 'set_variables',
          settings: { variables: [{ name: 'text', value: 'Order {{task_1_id}}' }] },
        },
        { id: 3, type: 'loop', settings: { count: 2, pause_seconds: 0.02 } },
        {
          id: 4,
          type: 'set_variables',
          settings: { variables: [{ name: 'copy', value: '{{task_2_text}}' }] },
        },
      ],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
        { from: 3, to: 4, branch: 'each' },
      ],
    });
    const sending = await api<Workflow>('POST', '/workflows', {
      name: 'Confirm',
      publish: true,
      tasks: [
        trigger,
        {
          id: 2,
          type: 'messaging_business',
          settings: {
            app_connection_id: connection,
            phone_number_id: IDS.booksOrders,
            action: 'send_template',
            business_account_id: IDS.books,
            recipient: '{{task_1_phone}}',
            template_name: 'order_confirmation',
            template_parameters: '["Guest", "{{task_1_id}}"]',
          },
        },
        { id: 3, type: 'set_variables', settings: { variables: [{ name: 'done', value: 'yes' }] } },
      ],
      edges: [
        { from: 1, to: 2 },
        { from: 2, to: 3 },
      ],
    });
    return new Traffic(product, computing, sending);
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

  /** Publishes the workflow that computes once more. */
  publish(): Promise<void> {
    return this.#try('publish');
  }

  setActive(isActive: boolean): Promise<void> {
    return this.#try(isActive ? 'activate' : 'pause');
  }

  /** Until it works: other faults may be under way. */
  async #try(action: string): Promise<void> {
    const url = `${this.#product.base}/api/v1/workflows/${this.#computing.id}/${action}`;
    for (let tries = 0; tries < 50; tries += 1) {
      try {
        await this.#product.call('POST', url, {});
        return;
      } catch {
        await sleep(200);
      }
    }
    throw new Error(`${url} did not work for ten seconds.`);
  }

  async #post(number: number): Promise<void> {
    const order = number % SEND_EVERY === 0 ? `C-${number}` : undefined;
    const { webhook } = order ? this.#sending : this.#computing;
    const phone = `1555${String(1_000_000 + number)}`;
    const eventId = await this.#send(
      webhook.production_url,
      JSON.stringify({ id: order ?? String(number), phone }),
    );
    if (eventId === undefined) this.refused += 1;
    else this.acknowledged.push({ eventId, order });
  }

  /** @returns the event's id when it was acknowledged. */
  #send(url: string, body: string): Promise<string | undefined> {
    return new Promise((resolve) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(
        url,
        { method: 'POST', agent: this.#agent, headers, timeout: 5000 },
        (response) => {
          response.resume();
          response.on('error', () => resolve(undefined));
          response.on('end', () =>
            resolve(response.statusCode === 200 ? String(response.headers['x-event-id']) : undefined),
          );
        },
      );
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(undefined));
      sent.end(body);
    });
  }
}
