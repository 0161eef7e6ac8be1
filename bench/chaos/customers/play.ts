// Two workflows a customer, and people who set holds and stops and end them, while processes are killed.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { Random } from '#lib/testing/random.ts';
import { KILLS } from '../faults.ts';
import { postWebhook } from '../post-webhook.ts';
import { Product } from '../product.ts';
import type { Sabotage } from '../sabotages.ts';
import { untilItWorks } from '../until-it-works.ts';
import type { Workflow } from '../workflows.ts';
import { checkCustomers, type CustomerVerdict, watchChanges } from './check.ts';
import { prepareCustomerWorkflows } from './workflows.ts';

/** Fewer would get more messages than the platform lets one customer have. */
const CUSTOMERS = 200;
const POSTERS = 4;
const POST_EVERY_MS = 800;
const CHANGERS = 8;
const LONGEST_PAUSE_MS = 5000;
const PATIENCE_MS = 180_000;
/** Launchers are killed in the other plans, because their databases end with them. */
const KINDS = [
  'worker killed',
  'worker killed',
  'web killed',
  'database killed',
  'connections terminated',
] as const;
type Change = 'hold' | 'release' | 'stop' | 'allow';
const CHANGES: readonly Change[] = [
  'hold',
  'hold',
  'hold',
  'release',
  'release',
  'release',
  'stop',
  'allow',
  'allow',
];

export interface PlayedCustomers extends CustomerVerdict {
  refused: number;
  kills: Record<string, number>;
  seconds: number;
  orphans: number;
}

interface Options {
  /** How long processes are killed. */
  seconds: number;
  seed: number;
  say?: ((line: string) => void) | undefined;
  /** An injected defect. */
  sabotage?: Sabotage | undefined;
}

// The sandbox treats numbers with certain endings specially; no such ending is a seven.
const PHONES = Array.from({ length: CUSTOMERS }, (_, index) => `1555${1_000_000 + index}7`);

/** @param folder for the database's files. Needs a build of the app. */
export async function playCustomers(
  folder: string,
  { seconds, seed, say = () => undefined, sabotage }: Options,
): Promise<PlayedCustomers> {
  const random = new Random(seed);
  const product = await Product.start(folder, { database: 'launched', sabotage });
  let orphans: number | undefined;
  try {
    const workflows = await prepareCustomerWorkflows(product.calls);
    await watchChanges(product);
    const end = Date.now() + seconds * 1000;
    const posting = postUntil(end, workflows, random);
    const changing = Promise.all(Array.from({ length: CHANGERS }, () => changeUntil(end, product, random)));
    const kills = await killUntil(end, product, random, say);
    const { eventIds, refused } = await posting;
    await changing;
    say('Everybody is given back.');
    for (const phone of PHONES) {
      await change(product, phone, 'release', random);
      await change(product, phone, 'allow', random);
    }
    await untilQuiet(product);
    const verdict = await checkCustomers(product, eventIds);
    orphans = await product.end();
    return { ...verdict, refused, kills, seconds, orphans };
  } finally {
    if (orphans === undefined) await product.end();
  }
}

/** Whether all invariants held, of holds and stops that were met. */
export const isProvenCustomers = (played: PlayedCustomers): boolean =>
  played.lost +
    played.doubled +
    played.stuck +
    played.left +
    played.unexplained +
    played.lostWaits +
    played.miscounted +
    played.orphans ===
    0 && Math.min(played.acknowledged, played.messages, played.waited, played.held, played.stopped) > 0;

async function postUntil(
  end: number,
  workflows: readonly Workflow[],
  random: Random,
): Promise<{ eventIds: string[]; refused: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: POSTERS });
  const eventIds: string[] = [];
  let [number, refused] = [0, 0];
  const posters = Array.from({ length: POSTERS }, async () => {
    while (Date.now() < end) {
      number += 1;
      const { webhook } = random.pick(workflows);
      const body = { id: `C-${number}`, phone: random.pick(PHONES) };
      const eventId = await postWebhook(agent, webhook.production_url, body);
      if (eventId === undefined) refused += 1;
      else eventIds.push(eventId);
      await sleep(POST_EVERY_MS);
    }
  });
  await Promise.all(posters);
  agent.destroy();
  return { eventIds, refused };
}

async function changeUntil(end: number, product: Product, random: Random): Promise<void> {
  while (Date.now() < end) {
    await change(product, random.pick(PHONES), random.pick(CHANGES), random);
    await sleep(random.between(0, 300));
  }
}

/** Again where the answer was lost: it may have been made. */
function change({ calls }: Product, phone: string, what: Change, random: Random): Promise<unknown> {
  const sends = random.pick(['suppress', 'wait', 'wait'] as const);
  const deadlines = random.pick(['run', 'stand_still'] as const);
  const consent = { purpose: 'all', state: what === 'stop' ? 'stopped' : 'given' };
  const path = `/customers/${phone}`;
  return untilItWorks(() => {
    if (what === 'hold') return calls.api('PUT', `${path}/hold`, { reason: 'Chaos', sends, deadlines });
    if (what === 'release') return calls.api('DELETE', `${path}/hold`);
    return calls.api('PUT', `${path}/consent`, consent);
  });
}

async function killUntil(
  end: number,
  product: Product,
  random: Random,
  say: (line: string) => void,
): Promise<Record<string, number>> {
  const kills: Record<string, number> = {};
  while (Date.now() < end) {
    const kind = random.pick(KINDS);
    await KILLS[kind](product, random);
    kills[kind] = (kills[kind] ?? 0) + 1;
    say(kind);
    await sleep(random.between(500, LONGEST_PAUSE_MS));
  }
  return kills;
}

/** Waits until every run has ended, or the timeout. */
async function untilQuiet({ db }: Product): Promise<void> {
  const sql = `select from runs where ${isOpenRunSql('status')} limit 1`;
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(200))
    if ((await untilItWorks(() => db.$client.query(sql))).rows.length === 0) return;
}

/** The result without what is only for debugging. */
export function summarizeCustomers({ stuckRuns: _, problems: __, ...figures }: PlayedCustomers) {
  return figures;
}

export function toCustomerLines(played: PlayedCustomers): string[] {
  const { acknowledged, lost, doubled, stuck, flagged, left, underWay, unexplained, lostWaits, miscounted } =
    played;
  const kills = Object.entries(played.kills).map(([kind, times]) => `${kind} ${times}`);
  return [
    ...played.stuckRuns.map((run) => `stuck: ${JSON.stringify(run)}`),
    ...played.problems.map((problem) => `wrong: ${JSON.stringify(problem)}`),
    `${kills.join(', ')} in ${played.seconds} s; ${played.refused} webhooks were refused`,
    `${played.changes} changes of holds and consent; ${played.messages} messages were sent, ${played.waited} waited for the end of a hold, ` +
      `${played.held} were suppressed by one, ${played.stopped} by a stop; ${played.orphans} processes were left behind`,
    `left after a hold or a stop ${left} (${underWay} were under way), not sent without a reason ${unexplained}, waits lost ${lostWaits}`,
    `groups of the report that differ from the messages ${miscounted}`,
    `acknowledged ${acknowledged}, lost ${lost}, doubled ${doubled}, stuck ${stuck}, flagged ${flagged}`,
  ];
}
