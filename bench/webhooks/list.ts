// Row (j) of bench/README.md: one run that sends a template to each recipient of a list.
import { readFileSync, writeFileSync } from 'node:fs';
import { oneTaskForEach } from '../workflows.ts';
import { findProblems, readRecorded } from './check-messages.ts';
import { type Cost, describeCost, measureCost } from './cost.ts';
import type { BenchOptions } from './options.ts';
import { postAll } from '../http/post-all.ts';
import { makeOrders, type Sending, templateSettings, WARM_UP_SHARE, withSending } from './sending.ts';

/** Items of the loop at once. */
const AT_ONCE = 100;
/** Where one message follows another, a list takes longer than as many runs. */
const LONGEST_MS = 10 * 60_000;

export interface ListRow extends Cost {
  recipients: number;
  /** Items of the loop that run at the same time; 1: in order. */
  atOnce: number;
  /** From the webhook to the end of its run. */
  messagesPerSecond: number;
  /** Resident memory of the worker: before the webhook, and its maximum until the end of the run. */
  workerMegabytes: { before: number; peak: number };
}

/** Measures it in order, and with several items at once. @throws Error if a recipient got no message or two, or one is not recorded. */
export async function measureList(options: BenchOptions, say: (line: string) => void): Promise<ListRow[]> {
  const rows: ListRow[] = [];
  for (const atOnce of [1, AT_ONCE]) rows.push(await measureOnce(options, atOnce, say));
  return rows;
}

const measureOnce = (
  { recipients: count }: BenchOptions,
  atOnce: number,
  say: (line: string) => void,
): Promise<ListRow> =>
  withSending(undefined, async (sending) => {
    const { database, pids, connectionId } = sending;
    const settings = templateSettings(connectionId, 'task_2_item');
    const { url } = await sending.insert(
      oneTaskForEach('{{task_1_recipients}}', 'messaging_business', settings, atOnce),
    );
    const warmUp = Math.ceil(count * WARM_UP_SHARE);
    await sendTo(sending, url, makeOrders(warmUp, count));
    const recipients = makeOrders(count);
    let before = 0;
    const { seconds, ...cost } = await measureCost(database, pids, async () => {
      resetPeak(pids.worker);
      before = readMegabytes(pids.worker, 'VmRSS');
      return { items: count, seconds: await sendTo(sending, url, recipients) };
    });
    const peak = readMegabytes(pids.worker, 'VmHWM');
    const { messages } = await sending.readLog();
    const numbers = recipients.map(({ to }) => to);
    const problems = findProblems(numbers, messages.slice(warmUp), await readRecorded(database.pool), []);
    if (problems.length > 0) throw new Error(`(j) ${problems.join('; ')}`);
    const { microseconds, statements } = cost;
    const row = {
      recipients: count,
      atOnce,
      messagesPerSecond: count / seconds,
      workerMegabytes: { before, peak },
      microseconds,
      statements,
    };
    say(describe(row));
    return row;
  });

/** @returns the seconds until the run has ended @throws Error if it does not succeed */
async function sendTo({ database }: Sending, url: string, recipients: readonly object[]): Promise<number> {
  const startedAt = Date.now();
  const { errors } = await postAll(url, [{ body: JSON.stringify({ recipients }), headers: {} }], 1);
  const { executed, endedAt } = await database.untilDrained(LONGEST_MS);
  if (errors > 0 || executed !== 1)
    throw new Error(`(j) The run for ${recipients.length} recipients did not succeed.`);
  return (endedAt - startedAt) / 1000;
}

/** The maximum of resident memory begins again (proc_pid_clear_refs(5)). */
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

const readMegabytes = (pid: number, name: 'VmRSS' | 'VmHWM'): number =>
  Math.round(
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  );

const describe = ({ recipients, atOnce, messagesPerSecond, workerMegabytes, ...cost }: ListRow): string =>
  `${`(j) one run that sends to ${recipients} recipients, ${atOnce === 1 ? 'in order' : `${atOnce} at once`}`.padEnd(56)} ${messagesPerSecond.toFixed(0).padStart(7)} messages/s   ` +
  `${describeCost(cost)} a message, worker ${workerMegabytes.before} MB before, ${workerMegabytes.peak} MB at most`;
