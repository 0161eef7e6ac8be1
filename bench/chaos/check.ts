// The invariants after all faults, checked against the database and the platform's own log.
import { setTimeout as sleep } from 'node:timers/promises';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { openQueries } from './open-queries.ts';
import type { Product } from './product.ts';
import { COMPUTING_TASK_RUNS, MESSAGES_OF_AN_ORDER, type Workflows } from './workflows.ts';

/** Maximum time for all work to finish after the last fault: heartbeats expire, retries and timers become due. */
const PATIENCE_MS = 60_000;

export interface Acknowledged {
  eventId: string;
  /** Unique text of its body; for a webhook that sends messages the order, such as `C-7`. */
  id: string;
}

/** The input of the product. */
export interface Load {
  workflows: Workflows;
  acknowledged: readonly Acknowledged[];
  /** Unique texts that customers wrote. */
  written: readonly string[];
}

export interface Verdict {
  acknowledged: number;
  /** Acknowledged webhooks, and texts of customers, without an event and a run. */
  lost: number;
  /** Events with several runs, texts of customers with several events, and messages of orders that were sent several times. */
  doubled: number;
  /** Runs that have not ended. */
  stuck: number;
  /** Those runs as the database has them, for debugging. */
  stuckRuns: unknown[];
  /** Task runs with an unknown outcome. */
  flagged: number;
  /** Sends among them that never reached the platform. */
  needless: number;
  /** Acknowledgements that name the event of another webhook. */
  foreign: number;
  /** Records that contradict each other or the platform: messages, their statuses, and the parts of runs. */
  contradicted: number;
  /** Those records as the database has them, for debugging. */
  contradictions: unknown[];
  /** Runs that succeeded. */
  succeeded: number;
  failed: number;
  messages: number;
  written: number;
}

/** The last statuses of a message: no customer reads messages here. */
const LAST_STATUSES = ['delivered', 'read', 'failed'];

export interface SentMessage {
  id: string;
  text: string;
  status: string;
}

/** @param product its database, connected without the faults, and its platform */
export async function check(
  product: Pick<Product, 'db' | 'calls'>,
  { acknowledged, written, workflows }: Load,
): Promise<Verdict> {
  const { rowsOf, count, countOpen, countLost, countDoubled } = openQueries(product);
  const countMissing = (): Promise<number> => count(MISSING_TEXTS, [written, workflows.answering.id]);
  const journal = (): Promise<SentMessage[]> => readJournal(product);
  /** Messages whose recorded status differs from the last one that the platform reported, or whose last status is still pending. */
  const findStale = async (): Promise<unknown[]> => {
    const told = await journal();
    return rowsOf(STALE_MESSAGES, [
      told.map(({ id }) => id),
      told.map(({ status }) => status),
      LAST_STATUSES,
    ]);
  };
  await settles(countOpen);
  await settles(countMissing);
  await settles(async () => (await findStale()).length);

  const sent = await journal();
  const timesSent = countByText(sent);
  const sends = await rowsOf<{ text: string; status: string | null }>(OUTCOMES_OF_SENDS, [
    workflows.sending.id,
    MESSAGES_OF_AN_ORDER,
  ]);
  const contradictions = [
    ...sends.filter(({ text, status }) => contradicts(timesSent.has(text), status)),
    ...(await findStale()),
    ...(await rowsOf(INCOMPLETE_RUNS, [workflows.computing.id, COMPUTING_TASK_RUNS])),
  ];
  const eventIds = acknowledged.map(({ eventId }) => eventId);
  return {
    acknowledged: acknowledged.length,
    lost: (await countLost(eventIds)) + (await countMissing()),
    doubled:
      (await countDoubled()) +
      (await count(
        `(select convert_from(body, 'UTF8')::json ->> 'text' from events where workflow_id = $1
          group by 1 having count(*) > 1) as several`,
        [workflows.answering.id],
      )) +
      countRepeated(timesSent),
    stuck: await countOpen(),
    stuckRuns: await rowsOf(STUCK_RUNS),
    flagged: await count(`task_runs where status = 'outcome_unknown'`),
    needless: sends.filter(({ text, status }) => status === 'outcome_unknown' && !timesSent.has(text)).length,
    foreign: await count(
      `unnest($1::uuid[], $2::text[]) as a(event_id, body_id) join events e on e.id = a.event_id
       where convert_from(e.body, 'UTF8')::json ->> 'id' is distinct from a.body_id`,
      [eventIds, acknowledged.map(({ id }) => id)],
    ),
    contradicted: contradictions.length,
    contradictions,
    succeeded: await count(`runs where status = 'succeeded'`),
    failed: await count(`runs where status = 'failed'`),
    messages: sent.length,
    written: written.length,
  };
}

/** Number of order messages that the platform has received more than once. */
export const countDoubledSends = async (product: Pick<Product, 'calls'>): Promise<number> =>
  countRepeated(countByText(await readJournal(product)));

const readJournal = async ({ calls }: Pick<Product, 'calls'>): Promise<SentMessage[]> =>
  (await calls.control<{ data: SentMessage[] }>('GET', 'messages?direction=out')).data;

/** Unique text of an order's message. */
function countByText(sent: readonly SentMessage[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { text } of sent) {
    const own = /C-\d+\.\d+/.exec(text)?.[0];
    if (own) times.set(own, (times.get(own) ?? 0) + 1);
  }
  return times;
}

const countRepeated = (times: ReadonlyMap<string, number>): number =>
  [...times.values()].filter((count) => count > 1).length;

/** Waits until the number is zero, or the timeout. */
export async function settles(measure: () => Promise<number>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline && (await measure()) > 0;)
    await sleep(250);
}

/** A task that sent a message has succeeded or is marked as unknown, and one that succeeded has sent one. */
const contradicts = (wasSent: boolean, status: string | null): boolean =>
  wasSent ? status !== 'succeeded' && status !== 'outcome_unknown' : status === 'succeeded';

export const STUCK_RUNS = `
select r.id, r.workflow_id, r.status, r.epoch, r.created_at, r.started_at, r.resume_at, r.worker_id, p.started_at as worker_started_at,
  p.heartbeat_at, now(),
  exists (select from run_claims c where c.run_id = r.id) as claimed,
  (select json_agg(j) from graphile_worker._private_jobs j where j.payload::text like '%' || r.id || '%') as jobs,
  (select json_agg(json_build_object('task', t.task_id, 'iteration', t.iteration, 'status', t.status, 'run_text', t.run_text,
    'state', t.state, 'resume_at', t.resume_at) order by t.started_at) from task_runs t where t.run_id = r.id) as task_runs
from runs r left join processes p on p.id = r.worker_id
where ${isOpenRunSql('r.status')} limit 20`;

const MISSING_TEXTS = `unnest($1::text[]) as w(text) left join (
select convert_from(e.body, 'UTF8')::json ->> 'text' as text, r.id from events e join runs r on r.id = e.run_id where e.workflow_id = $2
) as told using (text) where told.id is null`;

const STALE_MESSAGES = `
select t.id as message_id, t.status as told, s.status as recorded
from unnest($1::text[], $2::text[]) as t(id, status) left join sent_messages s on s.message_id = t.id
where s.status is distinct from t.status or t.status <> all($3::text[])`;

const OUTCOMES_OF_SENDS = `
select (convert_from(e.body, 'UTF8')::json ->> 'id') || '.' || n as text, t.status, r.id as run_id, t.run_text, t.state,
  t.started_at, t.finished_at
from runs r join events e on e.id = r.event_id cross join generate_series(1, $2) as n
left join task_runs t on t.run_id = r.id and t.task_id = n + 1
where r.workflow_id = $1`;

/** Runs that succeeded without each of their tasks having succeeded once per iteration. */
const INCOMPLETE_RUNS = `
select r.id as run_id, count(t.run_id)::int as task_runs
from runs r left join task_runs t on t.run_id = r.id and t.status = 'succeeded'
where r.workflow_id = $1 and r.status = 'succeeded' group by r.id having count(t.run_id) <> $2`;
