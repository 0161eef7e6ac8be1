// Row (k) of bench/README.md: messages, each from its own run, with the statuses that they cause, beside plain webhooks.
import { setTimeout as wait } from 'node:timers/promises';
import { FIVE_TASKS, oneTask } from '../workflows.ts';
import { findProblems, readRecorded } from './check-messages.ts';
import { type Cost, describeCost, measureCost, sumOf } from './cost.ts';
import { CONNECTIONS, makeRequests } from './messages.ts';
import type { BenchOptions } from './options.ts';
import { postAll } from '../http/post-all.ts';
import { STATUSES } from './platform-notification.ts';
import { makeOrders, type Sending, templateSettings, WARM_UP_SHARE, withSending } from './sending.ts';
import { besideSteadyLoad, type SteadyLoad } from './steady.ts';

const POLL_MS = 50;
/** For the statuses of all messages, and for the runs after them. */
const LONGEST_MS = 5 * 60_000;

export interface WholeRow extends Cost {
  statusesPerRequest: number;
  reportingConnections: number;
  messages: number;
  /** From the first webhook to the end of the last run that sends one. */
  messagesPerSecond: number;
  /** From the first webhook to the acknowledgment of the last status. */
  statusesPerSecond: number;
  /** Statuses that were not acknowledged and reported again. */
  refused: number;
  plain: SteadyLoad;
  /** Plain webhooks at the same rate without anything else: how they were answered, and the cost of one. */
  alone: SteadyLoad & Cost;
  /** Processor time for a message without that of the plain webhooks, as they cost alone, and without the platform's; statements. */
  withoutPlain: { microseconds: number; statements: number };
  /** From the answer to the last message's webhook until no run, status or job was open. */
  openSeconds: number;
}

/** Measures it once. @throws Error if anything was lost or doubled. */
export const measureWhole = (options: BenchOptions, say: (line: string) => void): Promise<WholeRow> =>
  withSending(options, async (sending) => {
    const { connectionId } = sending;
    const sends = await sending.insert(
      oneTask('messaging_business', templateSettings(connectionId, 'task_1')),
    );
    const plain = await sending.insert(FIVE_TASKS);
    const alone = await measurePlain(sending, plain.url, options);
    const both = await measureBoth(sending, { sends, plainUrl: plain.url }, options);
    const share = both.plain.accepted / both.messages;
    const ofProduct = (microseconds: Cost['microseconds']): number =>
      sumOf(microseconds) - (microseconds.platform ?? 0);
    const withoutPlain = {
      microseconds: ofProduct(both.microseconds) - ofProduct(alone.microseconds) * share,
      statements: both.statements - alone.statements * share,
    };
    const { statusesPerRequest, reportingConnections } = options;
    const row = { statusesPerRequest, reportingConnections, ...both, alone, withoutPlain };
    say(describe(row));
    return row;
  });

async function measurePlain(
  { database, pids }: Sending,
  url: string,
  { plainRate, seconds }: BenchOptions,
): Promise<SteadyLoad & Cost> {
  await besideSteadyLoad(url, plainRate, async () => ({ ended: await wait(1000) }));
  await database.untilDrained();
  const { plain, microseconds, statements } = await measureCost(database, pids, async () => {
    const load = await besideSteadyLoad(url, plainRate, async () => ({ ended: await wait(seconds * 1000) }));
    await database.untilDrained(LONGEST_MS);
    return { ...load, items: load.plain.accepted };
  });
  return { ...plain, microseconds, statements };
}

interface Targets {
  sends: { url: string; workflowId: string };
  plainUrl: string;
}

type Both = Omit<WholeRow, 'statusesPerRequest' | 'reportingConnections' | 'alone' | 'withoutPlain'>;

async function measureBoth(
  sending: Sending,
  { sends, plainUrl }: Targets,
  { messages: count, plainRate }: BenchOptions,
): Promise<Both> {
  const { database, pids } = sending;
  const warmUp = Math.ceil(count * WARM_UP_SHARE);
  await postAll(sends.url, makeRequests(warmUp, count), CONNECTIONS);
  await untilReported(sending, warmUp);
  await database.untilDrained();
  const requests = makeRequests(count);
  const measured = await measureCost(database, pids, async () => {
    const startedAt = Date.now();
    const load = await besideSteadyLoad(plainUrl, plainRate, async () => {
      const posted = await postAll(sends.url, requests, CONNECTIONS);
      const postedAt = Date.now();
      await untilReported(sending, warmUp + count);
      return { posted, postedAt, reportedAt: Date.now() };
    });
    const drained = await database.untilDrained(LONGEST_MS);
    return { items: count, startedAt, ...load, drained };
  });
  const { startedAt, posted, postedAt, reportedAt, plain, drained, microseconds, statements } = measured;
  const openAt = await untilNoJob(sending, Math.max(reportedAt, drained.endedAt));
  const log = await sending.readLog();
  const problems = [
    ...findProblems(
      makeOrders(count).map(({ to }) => to),
      log.messages.slice(warmUp),
      await readRecorded(database.pool),
      STATUSES,
    ),
    ...(posted.errors + plain.errors > 0
      ? [`${posted.errors} webhooks of messages and ${plain.errors} plain ones were not accepted`]
      : []),
    ...(drained.executed === count + plain.accepted && drained.left === 0
      ? []
      : [
          `${count + plain.accepted} webhooks were accepted, ${drained.executed} runs succeeded, ${drained.left} did not`,
        ]),
  ];
  if (problems.length > 0) throw new Error(`(k) ${problems.join('; ')}`);
  const sentSeconds = (await readLastEnd(sending, sends.workflowId)) - startedAt / 1000;
  return {
    messages: count,
    messagesPerSecond: count / sentSeconds,
    statusesPerSecond: (count * STATUSES.length) / ((reportedAt - startedAt) / 1000),
    refused: log.refused,
    plain,
    openSeconds: (openAt - postedAt) / 1000,
    microseconds,
    statements,
  };
}

/** Waits until every status of the first messages is acknowledged, for five minutes at most. */
async function untilReported(sending: Sending, messages: number): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  while ((await sending.readLog()).reported < messages * STATUSES.length && Date.now() < deadline)
    await wait(POLL_MS);
}

/** Waits until no job is due. @param since when the last other work ended @returns when that was so */
async function untilNoJob({ database }: Sending, since: number): Promise<number> {
  for (let at = since; at < since + LONGEST_MS; at = Date.now()) {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker._private_jobs
       where key is null and (locked_at is not null or run_at < now())`,
    );
    if (rows[0]?.count === 0) return at;
    await wait(POLL_MS);
  }
  throw new Error('(k) Jobs were still open after five minutes.');
}

/** In seconds since 1970. */
async function readLastEnd({ database }: Sending, workflowId: string): Promise<number> {
  const { rows } = await database.pool.query<{ at: number }>(
    `select extract(epoch from max(finished_at))::float8 as at from runs where workflow_id = $1`,
    [workflowId],
  );
  return rows[0]?.at ?? NaN;
}

const describe = (row: WholeRow): string =>
  [
    `${`(k) messages, ${row.statusesPerRequest} status${row.statusesPerRequest === 1 ? '' : 'es'} a request, plain webhooks`.padEnd(56)} ` +
      `${row.messagesPerSecond.toFixed(0).padStart(7)} messages/s   ${row.statusesPerSecond.toFixed(0)} statuses/s   ` +
      `${describeCost(row)} a message (${row.messages} messages)`,
    `    plain webhooks: ${describeLoad(row.plain)}; alone ${describeLoad(row.alone)}, ${describeCost(row.alone)} each`,
    `    a message without plain webhooks and platform: µs: ${row.withoutPlain.microseconds.toFixed(0)}, ${row.withoutPlain.statements.toFixed(2)} statements; ` +
      `nothing open ${row.openSeconds.toFixed(1)} s after the last; every message has its ${STATUSES.length} statuses` +
      (row.refused > 0 ? `; ${row.refused} statuses had to be reported again` : ''),
  ].join('\n');

const describeLoad = ({ perSecond, p50Ms, p99Ms }: SteadyLoad): string =>
  `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
