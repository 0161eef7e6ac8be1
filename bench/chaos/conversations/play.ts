// Many conversations at once: customers answer in random order while processes are killed, notifications come twice and in
// reverse order.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { Random } from '#lib/testing/random.ts';
import { KILLS } from '../faults.ts';
import { postWebhook } from '../post-webhook.ts';
import { Product } from '../product.ts';
import { untilItWorks } from '../until-it-works.ts';
import { checkConversations, type ConversationVerdict } from './check.ts';
import { Customers } from './customers.ts';
import { prepareConversation, REMINDER_AFTER_MS } from './workflow.ts';

const POSTERS = 8;
const PATIENCE_MS = 120_000;
const LONGEST_PAUSE_MS = 6000;
/** Spare customers for refused webhooks: a share of the customers, at least this many. */
const SPARE = { share: 0.3, fewest: 150 };
const PAUSE_AFTER_REFUSAL_MS = 1500;
/** Launchers are killed in the other plans, because their databases end with them. */
const KINDS = [
  'worker killed',
  'worker killed',
  'web killed',
  'database killed',
  'connections terminated',
] as const;

export interface PlayedConversations extends ConversationVerdict {
  /** Webhooks that were not acknowledged; their customers count like others if a run started. */
  refused: number;
  kills: Record<string, number>;
  /** From the first webhook until the last conversation was over. */
  seconds: number;
  orphans: number;
}

interface Options {
  /** Number of acknowledged webhooks. */
  count: number;
  /** Base of the customers' delays: they answer within one and a half times this. */
  reminderAfterMs?: number;
  seed: number;
  say?: (line: string) => void;
}

/** @param folder for the database's files. Needs a build of the app. */
export async function playConversations(
  folder: string,
  { count, seed, reminderAfterMs = REMINDER_AFTER_MS, say = () => undefined }: Options,
): Promise<PlayedConversations> {
  const random = new Random(seed);
  const product = await Product.start(folder, { database: 'launched' });
  let orphans: number | undefined;
  try {
    const workflow = await prepareConversation(product.calls, { reminderAfterMs });
    const customers = new Customers(product.calls, new Random(seed + 1), reminderAfterMs);
    const spare = Math.max(SPARE.fewest, Math.ceil(count * SPARE.share));
    // The sandbox treats numbers with certain endings specially; no such ending is a seven.
    const phones = Array.from({ length: count + spare }, (_, index) => `1555${1_000_000 + index}7`);
    say('Customers write.');
    await openWindows(product, customers, phones);
    customers.start();
    const startedAt = Date.now();
    const starting = startConversations(workflow.webhook.production_url, phones, count);
    const kills = await killUntilAnswered(product, random, count, say);
    const { eventIds, refused } = await starting;
    say('Nothing more is killed.');
    await untilQuiet(product);
    await customers.stop();
    const verdict = await checkConversations(product, {
      eventIds,
      answers: customers.answers,
      workflowId: workflow.id,
    });
    const seconds = await lastEnd(product, startedAt);
    orphans = await product.end();
    return { ...verdict, refused, kills, seconds, orphans };
  } finally {
    if (orphans === undefined) await product.end();
  }
}

/** Whether all invariants held and most conversations were completed. */
export const isProvenConversations = (played: PlayedConversations): boolean =>
  played.lost + played.doubled + played.stuck + played.wrong + played.orphans === 0 &&
  played.acknowledged > 0 &&
  played.completed > played.acknowledged / 2;

/** Nothing is killed yet: a greeting whose notification is late would count as the answer to a question. */
async function openWindows(product: Product, customers: Customers, phones: readonly string[]): Promise<void> {
  for (const phone of phones) await customers.write(phone);
  await until(product, PATIENCE_MS, `select count(*) >= ${phones.length} as holds from conversation_windows`);
}

/** Each attempt has its own customer, so that one that ran without being acknowledged causes no duplicates. */
async function startConversations(
  url: string,
  phones: readonly string[],
  count: number,
): Promise<{ eventIds: string[]; refused: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: POSTERS });
  const left = [...phones];
  const eventIds: string[] = [];
  let [underWay, refused] = [0, 0];
  const posters = Array.from({ length: POSTERS }, async () => {
    while (eventIds.length + underWay < count || underWay > 0) {
      if (eventIds.length + underWay >= count) {
        await sleep(20);
        continue;
      }
      const phone = left.pop();
      if (phone === undefined) throw new Error('Too many webhooks were refused.');
      underWay += 1;
      const eventId = await postWebhook(agent, url, { id: phone, phone });
      underWay -= 1;
      if (eventId === undefined) {
        refused += 1;
        await sleep(PAUSE_AFTER_REFUSAL_MS);
      } else eventIds.push(eventId);
    }
  });
  await Promise.all(posters);
  agent.destroy();
  return { eventIds, refused };
}

/**
 * Kills one process or connection after another until nearly all customers have been asked the last question. @returns the
 * number of kills by kind
 */
async function killUntilAnswered(
  product: Product,
  random: Random,
  count: number,
  say: (line: string) => void,
): Promise<Record<string, number>> {
  const kills: Record<string, number> = {};
  const closed = `select count(*) >= ${Math.ceil(count * 0.9)} as holds from runs where finished_at is not null`;
  const deadline = Date.now() + PATIENCE_MS + count * 400;
  while (Date.now() < deadline && !(await holds(product, closed))) {
    const kind = random.pick(KINDS);
    await KILLS[kind](product, random);
    kills[kind] = (kills[kind] ?? 0) + 1;
    say(kind);
    await sleep(random.between(500, LONGEST_PAUSE_MS));
  }
  return kills;
}

/** Waits until every conversation is over, or the timeout. */
const untilQuiet = (product: Product): Promise<void> =>
  until(product, PATIENCE_MS, `select count(*) = 0 as holds from runs where ${isOpenRunSql('status')}`);

async function until(product: Product, patienceMs: number, sql: string): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(200))
    if (await holds(product, sql)) return;
}

const holds = (product: Product, sql: string): Promise<boolean> =>
  untilItWorks(async () => (await product.db.$client.query<{ holds: boolean }>(sql)).rows[0]?.holds === true);

const lastEnd = (product: Product, startedAt: number): Promise<number> =>
  untilItWorks(async () => {
    const { rows } = await product.db.$client.query<{ at: Date }>('select max(finished_at) as at from runs');
    return Math.round(((rows[0]?.at.getTime() ?? startedAt) - startedAt) / 100) / 10;
  });
