// Measures the response times of callers at a low and steady rate.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

export interface Answered {
  /** Of `performance.now`. */
  sentAt: number;
  /** 0: no response. */
  status: number;
  answerMs: number;
  eventId: string | undefined;
}

export class Callers {
  readonly answered: Answered[] = [];
  readonly #url: string;
  readonly #body: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #underWay = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;

  constructor(url: string, body: string, everyMs: number) {
    this.#url = url;
    this.#body = body;
    this.#timer = setInterval(() => {
      const call = this.#call().finally(() => this.#underWay.delete(call));
      this.#underWay.add(call);
    }, everyMs);
  }

  async stop(): Promise<readonly Answered[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#underWay);
    this.#agent.destroy();
    return this.answered;
  }

  async #call(): Promise<void> {
    const sentAt = performance.now();
    const { status, eventId } = await this.#post();
    this.answered.push({ sentAt, status, eventId, answerMs: performance.now() - sentAt });
  }

  #post(): Promise<Pick<Answered, 'status' | 'eventId'>> {
    return new Promise((resolve) => {
      const none = (): void => resolve({ status: 0, eventId: undefined });
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(this.#body),
      };
      const options = { method: 'POST', agent: this.#agent, headers, timeout: PATIENCE_MS };
      const sent = request(this.#url, options, (response) => {
        response.resume();
        response.on('error', none);
        response.on('end', () => {
          const eventId = response.headers['x-event-id'];
          resolve({
            status: response.statusCode ?? 0,
            eventId: typeof eventId === 'string' ? eventId : undefined,
          });
        });
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', none);
      sent.end(this.#body);
    });
  }
}

/** Sends requests for this time. */
export async function callFor(
  url: string,
  body: string,
  { everyMs, seconds }: { everyMs: number; seconds: number },
): Promise<readonly Answered[]> {
  const callers = new Callers(url, body, everyMs);
  await sleep(seconds * 1000);
  return callers.stop();
}
