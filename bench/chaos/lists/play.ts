// A list of recipients, whose rows are started while processes are killed; and before that a shorter one at its full pace.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { readCsv } from '#lib/lists/read-csv.ts';
import { createList } from '#lib/lists/upload-list.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { Random } from '#lib/testing/random.ts';
import { startProcess } from '#lib/testing/start-process.ts';
import { ENCRYPTION_KEYS } from '../../../server/testing/beside-sandbox.ts';
import { Begun } from '../../on-stop.ts';
import { insertConnection } from '../../webhooks/connection.ts';
import { ACCOUNT } from '../../webhooks/platform-notification.ts';
import { KILLS } from '../faults.ts';
import type { Launched } from '../launched.ts';
import { Product } from '../product.ts';
import type { Sabotage } from '../sabotages.ts';
import { untilItWorks } from '../until-it-works.ts';
import { checkList, hasDoubledRow, type ListRun, type ListVerdict } from './check.ts';

const PHONE = '106540352242922';
/** Every row of these is skipped: without a number, and with the one of the row before. */
const SKIPPED_EVERY = 500;
const HIGH_PER_SECOND = 1000;
/** As a platform needs, so that some sends are in progress when a worker is killed. */
const ANSWER_MS = 50;
const POLL_MS = 250;
/** Of the slowest machine. */
const PATIENCE_MS = 3_600_000;
const FIRST_NUMBER = 15_551_000_000;
const KINDS = Object.keys(KILLS) as (keyof typeof KILLS)[];

/** Of a worker, in megabytes. */
interface Memory {
  /** Of the first and the second half of the rows. */
  halves: [number, number];
}

export interface PlayedLists {
  rows: number;
  /** Of the number. */
  perSecond: number;
  /** Rows a second without kills. */
  quiet: ListVerdict;
  killed: ListVerdict;
  kills: Record<string, number>;
  /** The most that a worker had. */
  memory: { quiet: Memory; killed: Memory };
  seconds: number;
  orphans: number;
}

interface Options {
  /** Of the list that is killed. */
  rows: number;
  /** Messages of the number. */
  perSecond: number;
  /** Of the list at full pace. */
  quietSeconds: number;
  /** Longest time between two kills. */
  pauseMs: number;
  seed: number;
  say?: ((line: string) => void) | undefined;
  sabotage?: Sabotage | undefined;
}

/** @param folder for the database's files. Needs a build of the app. */
export async function playLists(folder: string, options: Options): Promise<PlayedLists> {
  const { rows, perSecond, quietSeconds, pauseMs, seed, say = () => undefined, sabotage } = options;
  const begun = new Begun();
  const port = await findFreePort();
  const platform = await startProcess('bench/servers/platform.ts', {
    PORT: String(port),
    ANSWER_MS: String(ANSWER_MS),
  });
  begun.add(() => platform.stop());
  let orphans: number | undefined;
  let product: Product | undefined;
  const since = Date.now();
  try {
    product = await Product.start(folder, {
      database: 'launched',
      sabotage,
      platformPort: port,
      settings: perSecond >= HIGH_PER_SECOND ? {} : { MESSAGING_MESSAGES_PER_SECOND: String(perSecond) },
    });
    const stage = await prepare(product, perSecond);
    const readSent = async (): Promise<string[]> => {
      const log = (await (await fetch(`http://127.0.0.1:${port}/log`)).json()) as {
        messages: { to: string }[];
      };
      return log.messages.map(({ to }) => to);
    };
    const quietRows = perSecond * quietSeconds;
    const quiet = await runList(product, stage, { rows: quietRows, first: 0 });
    const quietVerdict = await checkList(product, { ...quiet, sentTo: await readSent() });
    say(`without kills ${quietVerdict.pace.toFixed(0)} rows a second`);
    const random = new Random(seed);
    const kills: Record<string, number> = {};
    const killing = { isOver: false };
    const killer = killUntil(killing, product, { random, pauseMs, kills, say });
    const endsWhenDoubled = sabotage !== undefined;
    const killed = await runList(product, stage, { rows, first: quietRows, endsWhenDoubled, say }).finally(
      () => {
        killing.isOver = true;
      },
    );
    await killer;
    const killedVerdict = await checkList(product, { ...killed, sentTo: await readSent() });
    orphans = await product.end();
    return {
      rows,
      perSecond,
      quiet: quietVerdict,
      killed: killedVerdict,
      kills,
      memory: { quiet: quiet.memory, killed: killed.memory },
      seconds: Math.round((Date.now() - since) / 1000),
      orphans,
    };
  } finally {
    if (orphans === undefined) await product?.end();
    await begun.end();
  }
}

interface Prepared {
  workspaceId: string;
  workflowId: string;
}

/** A workflow that sends one message to the customer of a row, from a number of this rate. */
async function prepare({ db, calls }: Product, perSecond: number): Promise<Prepared> {
  const pool = db.$client;
  // The first call makes the workspace of the API key.
  await calls.api('GET', '/workflows');
  const { rows } = await pool.query<{ id: string }>('select id from workspaces order by id limit 1');
  const workspaceId = rows[0]?.id ?? '';
  const { connectionId } = await insertConnection(pool, workspaceId);
  const phones = [{ id: PHONE, throughput: perSecond >= HIGH_PER_SECOND ? 'HIGH' : 'STANDARD' }];
  await pool.query('insert into connection_facts (connection_id, accounts) values ($1, $2)', [
    connectionId,
    JSON.stringify([{ id: ACCOUNT, phones, templates: [] }]),
  ]);
  const graph: WorkflowGraph = {
    tasks: [
      { id: 1, type: 'inbound_webhook', name: 'In', settings: {} },
      {
        id: 2,
        type: 'messaging_business',
        name: 'Send',
        settings: {
          action: 'send_template',
          app_connection_id: connectionId,
          business_account_id: ACCOUNT,
          phone_number_id: PHONE,
          recipient: '{{task_1_phone}}',
          template_name: 'order_confirmation',
          template_parameters: '["{{task_1_name}}"]',
        },
      },
    ],
    edges: [{ from: 1, to: 2 }],
  };
  const { workflowId } = await insertWorkflow(pool, graph, workspaceId);
  return { workspaceId, workflowId };
}

/** The file, line by line. */
async function* linesOf(rows: number, first: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('phone,name\n');
  for (let row = 0; row < rows; row += 1) {
    const number = String(FIRST_NUMBER + first + row);
    yield Buffer.from(`${number},Guest ${first + row}\n`);
    if (row % SKIPPED_EVERY === 0) yield Buffer.from(`,Nobody ${row}\n${number},Guest ${row} again\n`);
  }
}

interface RunList extends ListRun {
  memory: Memory;
}

/** Uploads a list and waits until it is over. */
async function runList(
  product: Product,
  { workspaceId, workflowId }: Prepared,
  {
    rows,
    first,
    endsWhenDoubled = false,
    say = () => undefined,
  }: {
    rows: number;
    first: number;
    /** With an injected defect, which has been found then. */
    endsWhenDoubled?: boolean;
    say?: ((line: string) => void) | undefined;
  },
): Promise<RunList> {
  const { db, launched } = product;
  const secrets = createSecretBox(ENCRYPTION_KEYS);
  const ctx = { db, workspaceId, actor: 'chaos', secrets, baseUrl: '' };
  const { list } = await untilItWorks(async () =>
    createList(ctx, await readCsv(linesOf(rows, first)), {
      workflowId,
      name: `Guests from ${first}`,
      start: true,
    }),
  );
  const halves: Memory['halves'] = [0, 0];
  const deadline = Date.now() + PATIENCE_MS;
  let isCut = false;
  for (let polls = 0; Date.now() < deadline; polls += 1) {
    const { rows: found } = await untilItWorks(() =>
      db.$client.query<{ state: string; waiting: number }>(
        `select state, (select count(*)::int from send_list_rows where list_id = l.id and state = 'waiting') as waiting
         from send_lists l where id = $1`,
        [list.id],
      ),
    );
    const { state = '', waiting = 0 } = found[0] ?? {};
    if (state === 'finished' || state === 'paused') break;
    if (endsWhenDoubled) isCut = await hasDoubledRow(product);
    if (isCut) break;
    const half = waiting > rows / 2 ? 0 : 1;
    halves[half] = Math.max(halves[half], readWorkerMegabytes(launched));
    if (polls % 40 === 0) say(`${state}, ${waiting} rows wait`);
    await sleep(POLL_MS);
  }
  return { listId: list.id, skippedRows: Math.ceil(rows / SKIPPED_EVERY) * 2, isCut, memory: { halves } };
}

/** Resident memory of the worker that has most; 0 while none runs. */
function readWorkerMegabytes(launched: Launched): number {
  try {
    const read = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.max(
      0,
      ...launched
        .pidsOf('worker.mjs')
        .map((pid) => Math.round(Number(/VmRSS:\s+(\d+)/.exec(read(pid))?.[1] ?? 0) / 1024)),
    );
  } catch {
    // One ends, or they are being started.
    return 0;
  }
}

/** Every kind in turn. */
async function killUntil(
  killing: { isOver: boolean },
  product: Product,
  {
    random,
    pauseMs,
    kills,
    say,
  }: { random: Random; pauseMs: number; kills: Record<string, number>; say: (line: string) => void },
): Promise<void> {
  for (let turn = 0; !killing.isOver; turn += 1) {
    await sleep(random.between(pauseMs / 4, pauseMs));
    const kind = KINDS[turn % KINDS.length] ?? 'worker killed';
    await KILLS[kind](product, random);
    kills[kind] = (kills[kind] ?? 0) + 1;
    say(kind);
  }
}

const faultsOf = ({ misjudged, lost, doubled, stuck, contradicted }: ListVerdict): number =>
  misjudged + lost + doubled + stuck + contradicted;

/** Whether every row of both lists had one run and one message, whatever was killed. */
export const isProvenLists = ({ quiet, killed, orphans, kills }: PlayedLists): boolean =>
  faultsOf(quiet) + faultsOf(killed) + orphans === 0 &&
  killed.messages > 0 &&
  KINDS.every((kind) => (kills[kind] ?? 0) > 0);

/** Whether rows were started at the rate of the number, 10 % more or less, while nothing was killed. */
export const keepsPace = ({ quiet: { pace }, perSecond }: PlayedLists): boolean =>
  Math.abs(pace / perSecond - 1) <= 0.1;

/** The result without what is only for debugging. */
export function summarizeLists({ quiet, killed, ...figures }: PlayedLists) {
  const { stuckRuns: _, ...withoutKills } = quiet;
  const { stuckRuns: __, ...withKills } = killed;
  return { ...figures, withoutKills, withKills };
}

export function toListLines(played: PlayedLists): string[] {
  const { rows, perSecond, kills, memory, seconds, orphans } = played;
  const counted = Object.entries(kills).map(([kind, times]) => `${kind} ${times}`);
  const describe = (name: string, verdict: ListVerdict, { halves }: Memory): string[] => [
    ...verdict.stuckRuns.map((run) => `stuck: ${JSON.stringify(run)}`),
    `${name}: ${JSON.stringify(verdict.states)}, ${verdict.messages} messages; lost ${verdict.lost}, doubled ${verdict.doubled}, stuck ${verdict.stuck}, ` +
      `misjudged ${verdict.misjudged}, contradicted ${verdict.contradicted}, flagged ${verdict.flagged}`,
    `  ${verdict.pace.toFixed(0)} rows a second of ${perSecond}, besides ${verdict.stoodStillSeconds} s without any; a worker had ${halves[0]} MB at most ` +
      `in the first half, ${halves[1]} MB in the second`,
  ];
  return [
    ...describe('without kills', played.quiet, memory.quiet),
    ...describe(`${rows} rows under kills`, played.killed, memory.killed),
    `${counted.join(', ')} in ${seconds} s; ${orphans} processes were left behind`,
  ];
}
