// Row (k) of bench/README.md: messages, each from its own run, with the statuses that they cause, beside plain webhooks.
import { setTimeout as wait } from 'node:timers/promises';
import { FIVE_TASKS, oneTask } from '../workflows.ts';
import { findProblems, readRecorded } from './check-messages.ts';
import { type Cost, describeCost, measureCost } from './cost.ts';
import { CONNECTIONS, makeRequests } from './messages.ts';
import type { BenchOptions } from './options.ts';
import { postAll } from '../http/post-all.ts';
import { STATUSES } from './platform-notification.ts';
import { makeOrders, type Sending, templateSettings, WARM_UP_SHARE, withSending } from './sending.ts';
import { besideSteadyLoad, type SteadyLoad } from './steady.ts';

const POLL_MS = 50;
/** For the statuses of all messages, and for the runs after them. */
const LONGEST_MS = 5 * 60_000;

/** Messages with all their statuses; the cost is a message's, with everything that happened at the same time. */
export interface Measured extends Cost {
  messages: number;
  /** From the first webhook to the end of the last run that sends one. */
  messagesPerSecond: number;
  /** From the first webhook to the acknowledgment of the last status. */
  statusesPerSecond: number;
  /** Statuses that were not acknowledged and reported again. */
  refused: number;
  /** From the answer to the last message's webhook until no run, status or job was open. */
  openSeconds: number;
  plain: SteadyLoad;
}

export interface WholeRow {
  statusesPerRequest: number;
  reportingConnections: number;
  /** Nothing but messages and their statuses. */
  messages: Measured;
  /** Nothing but plain webhooks: how they were answered, and the cost of one. */
  plain: SteadyLoad & Cost;
  /** Both at once. */
  together: Measured;
}

/** Measures it once. @throws Error if anything was lost or doubled. */
export const measureWhole = (options: BenchOptions, say: (line: string) => void): Promise<WholeRow> =>
  withSending(options, async (sending) => {
    const { statusesPerRequest, reportingConnections, plainRate } = options;
    const sends = await sending.insert(
      oneTask('messaging_business', templateSettings(sending.connectionId, 'task_1')),
    );
    const { url: plainUrl } = await sending.insert(FIVE_TASKS);
    const targets = { sends, plainUrl };
    const messages = await measureSends(sending, targets, options, 0);
    const plain = await measurePlain(sending, plainUrl, options);
    const together = await measureSends(sending, targets, options, plainRate);
    const row = { statusesPerRequest, reportingConnections, messages, plain, together };
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

/** After a warm-up of its own. @param plainRate of plain webhooks beside them, a second */
async function measureSends(
  sending: Sending,
  { sends, plainUrl }: Targets,
  { messages: count }: BenchOptions,
  plainRate: number,
): Promise<Measured> {
  const { database, pids } = sending;
  const warmUp = Math.ceil(count * WARM_UP_SHARE);
  const before = await sending.readCounts();
  const first = before.messages;
  await postAll(sends.url, makeRequests(warmUp, first), CONNECTIONS);
  await untilReported(sending, first + warmUp);
  await database.untilDrained();
  const requests = makeRequests(count, first + warmUp);
  const measured = await measureCost(database, pids, async () => {
    const startedAt = Date.now();
    const load = await besideSteadyLoad(plainUrl, plainRate, async () => {
      const posted = await postAll(sends.url, requests, CONNECTIONS);
      const postedAt = Date.now();
      await untilReported(sending, first + warmUp + count);
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
      makeOrders(count, first + warmUp).map(({ to }) => to),
      log.messages.slice(first + warmUp),
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
    refused: log.refused - before.refused,
    openSeconds: (openAt - postedAt) / 1000,
    plain,
    microseconds,
    statements,
  };
}

/** Waits until every status of the first messages since the platform's start is acknowledged, for five minutes at most. */
async function untilReported(sending: Sending, messages: number): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  while ((await sending.readCounts()).reported < messages * STATUSES.length && Date.now() < deadline)
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

const describe = ({ statusesPerRequest, messages, plain, together }: WholeRow): string =>
  [
    describeSends(
      `messages, ${statusesPerRequest} status${statusesPerRequest === 1 ? '' : 'es'} a request`,
      messages,
    ),
    describeSends('the same beside plain webhooks', together),
    `    plain webhooks: ${describeLoad(together.plain)}; alone ${describeLoad(plain)}, ${describeCost(plain)} each`,
  ].join('\n');

const describeSends = (what: string, row: Measured): string =>
  `${`(k) ${what}`.padEnd(56)} ${row.messagesPerSecond.toFixed(0).padStart(7)} messages/s   ${row.statusesPerSecond.toFixed(0)} statuses/s   ` +
  `${describeCost(row)} a message (${row.messages} messages), nothing open ${row.openSeconds.toFixed(1)} s after the last` +
  (row.refused > 0 ? `; ${row.refused} statuses had to be reported again` : '');

const describeLoad = ({ perSecond, p50Ms, p99Ms }: SteadyLoad): string =>
  `${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`;
