// Webhooks of the two workflows, one after another from several senders at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'node:http';
import type { Product } from './product.ts';
import { prepareWorkflows, type Workflow } from './workflows.ts';

const POSTERS = 8;
const PAUSE_MS = 15;
/** Every so many webhooks one sends a message. */
const SEND_EVERY = 8;

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
    const { computing, sending } = await prepareWorkflows(product);
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
