// The customers of the conversations on the sandbox's phones: each answers every question once, after a delay.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#lib/testing/random.ts';
import type { Product } from '../product.ts';
import { untilItWorks } from '../until-it-works.ts';
import { PHONE, readSaid, REMINDER_AFTER_MS } from './workflow.ts';

/** A message in the platform's log. */
export interface JournalMessage {
  id: string;
  customer: string;
  type: string;
  text: string;
  payload: { interactive?: { action: { buttons: { reply: { id: string; title: string } }[] } } };
}

/** Maximum delay as a multiple of the reminder's: one in three answers comes later than the reminder. */
const LONGEST_DELAY = 1.5;
/** One in this many customers types a button's label instead of tapping it. */
const WRITES_LABEL = 8;
const LOOK_EVERY_MS = 700;

/** A customer's answers. */
export interface Answers {
  choice?: string;
  text?: string;
}

export class Customers {
  readonly answers = new Map<string, Answers>();
  readonly #calls: Product['calls'];
  readonly #random: Random;
  readonly #answering = new Set<Promise<void>>();
  readonly #longestDelayMs: number;
  #looking: Promise<void> | undefined;
  #isOver = false;

  constructor(calls: Product['calls'], random: Random, reminderAfterMs = REMINDER_AFTER_MS) {
    this.#calls = calls;
    this.#random = random;
    this.#longestDelayMs = reminderAfterMs * LONGEST_DELAY;
  }

  /** Opens the customer's window. */
  async write(customer: string): Promise<void> {
    await this.#tell(customer, { text: 'Hello' });
  }

  /** Starts answering. */
  start(): void {
    this.#looking = this.#look();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#looking;
    await Promise.all(this.#answering);
  }

  async #look(): Promise<void> {
    for (const seen = new Set<string>(); !this.#isOver; await sleep(LOOK_EVERY_MS)) {
      for (const message of await listMessages(this.#calls, 'out')) {
        if (seen.has(message.id)) continue;
        seen.add(message.id);
        const answering = this.#answer(message).finally(() => this.#answering.delete(answering));
        this.#answering.add(answering);
      }
    }
  }

  /** A duplicate of a question is answered, too, so that the check counts it. */
  async #answer({ id, customer, text, payload }: JournalMessage): Promise<void> {
    const said = readSaid(text);
    if (said !== 'question' && said !== 'follow_up') return;
    const delayMs = this.#random.between(50, this.#longestDelayMs);
    const reply = this.#random.pick(payload.interactive?.action.buttons ?? [undefined])?.reply;
    const isWritten = this.#random.below(WRITES_LABEL) === 0;
    await sleep(delayMs);
    const answers = this.answers.get(customer) ?? {};
    this.answers.set(customer, answers);
    if (said === 'question' && reply) {
      answers.choice = reply.title;
      const tap = { ...reply, message_id: id };
      await this.#tell(customer, isWritten ? { text: reply.title.toUpperCase() } : { reply: tap });
    } else {
      answers.text = `Answer of ${customer}`;
      await this.#tell(customer, { text: answers.text });
    }
  }

  #tell(customer: string, content: object): Promise<unknown> {
    const message = { customer, phone_number_id: PHONE, ...content };
    return this.#calls.control('POST', 'customer-messages', message);
  }
}

/** The platform's log, in its order. @param direction `out`: to customers */
export const listMessages = async (
  calls: Product['calls'],
  direction: 'in' | 'out',
): Promise<JournalMessage[]> =>
  (
    await untilItWorks(() =>
      calls.control<{ data: JournalMessage[] }>('GET', `messages?direction=${direction}`),
    )
  ).data;
