// What must hold of a list: read from the database, and from the platform's own log.
import type { Product } from '../product.ts';
import { settles, STUCK_RUNS } from '../check.ts';
import { openQueries } from '../open-queries.ts';

export interface ListRun {
  listId: string;
  /** Rows of the file without a number, or with the one of an earlier row. */
  skippedRows: number;
  /** It was left before its end, because a row had two events. */
  isCut: boolean;
}

export interface ListVerdict {
  /** Rows of the list, by state. */
  states: Record<string, number>;
  /** Rows that had to be skipped and were not, or the other way round. */
  misjudged: number;
  /** Rows without a run, an event, or an end. */
  lost: number;
  /** Rows with several events or runs, runs of a row that name no row, and customers who got several messages. */
  doubled: number;
  stuck: number;
  stuckRuns: unknown[];
  /** Rows whose run says that it is not known whether its message was sent. */
  flagged: number;
  /** Rows whose state contradicts their run, and runs that contradict the platform. */
  contradicted: number;
  messages: number;
  /** Rows a second from the first to the last, without the standstills. */
  pace: number;
  /** For how long no row was started, without the first second of each time, which a list makes up for. */
  stoodStillSeconds: number;
}

export async function checkList(
  product: Pick<Product, 'db'>,
  { listId, skippedRows, isCut, sentTo }: ListRun & { sentTo: readonly string[] },
): Promise<ListVerdict> {
  const { rowsOf, count, countOpen, countDoubled } = openQueries(product);
  if (!isCut) await settles(countOpen);
  const open = (): Promise<number> =>
    count(`send_list_rows where list_id = $1 and state in ('waiting', 'running')`, [listId]);
  if (!isCut) await settles(open);
  const counted = await rowsOf<{ state: string; count: number }>(
    'select state, count(*)::int as count from send_list_rows where list_id = $1 group by 1 order by 1',
    [listId],
  );
  const states = Object.fromEntries(counted.map((each) => [each.state, each.count]));
  const times = new Map<string, number>();
  for (const to of sentTo) times.set(to, (times.get(to) ?? 0) + 1);
  const ofRows = await rowsOf<RowOutcome>(ROWS, [listId]);
  const [pace] = await rowsOf<{ rows: number; seconds: number; stood: number }>(PACE, [listId]);
  return {
    states,
    misjudged: Math.abs((states['skipped'] ?? 0) - skippedRows),
    lost: ofRows.filter(({ status, events }) => status === null || events === 0).length + (await open()),
    doubled:
      (await countDoubled()) +
      ofRows.filter(({ events }) => events > 1).length +
      ofRows.filter(({ recipient }) => (times.get(recipient) ?? 0) > 1).length,
    stuck: await countOpen(),
    stuckRuns: await rowsOf(STUCK_RUNS),
    flagged: ofRows.filter(({ is_unknown: isUnknown }) => isUnknown).length,
    contradicted: ofRows.filter((row) => contradicts(row, times.has(row.recipient))).length,
    messages: ofRows.reduce((sum, { recipient }) => sum + (times.get(recipient) ?? 0), 0),
    pace: pace ? (pace.rows - 1) / Math.max(0.001, pace.seconds - pace.stood) : 0,
    stoodStillSeconds: Math.round(pace?.stood ?? 0),
  };
}

interface RowOutcome {
  recipient: string;
  state: string;
  status: string | null;
  is_unknown: boolean;
  events: number;
}

/** A run that sent has succeeded or says that it does not know, one that succeeded has sent, and the row says how it ended. */
const contradicts = ({ state, status, is_unknown: isUnknown }: RowOutcome, wasSent: boolean): boolean =>
  state !== status || (!isUnknown && wasSent !== (status === 'succeeded'));

/** Whether a row has several events, which is always a defect. */
export const hasDoubledRow = async (product: Pick<Product, 'db'>): Promise<boolean> =>
  (await openQueries(product).rowsOf(DOUBLED)).length > 0;

const DOUBLED = `
select from events e where e.kind = 'list' group by convert_from(e.body, 'UTF8')::json ->> 'phone' having count(*) > 1 limit 1`;

/** The rows that were to be started; events by the number in their bodies, which no other row has. */
const ROWS = `
select r.recipient, r.state, runs.status,
  exists (select from task_runs t where t.run_id = r.run_id and t.status = 'outcome_unknown') as is_unknown,
  coalesce(e.count, 0)::int as events
from send_list_rows r left join runs on runs.id = r.run_id
left join (
  select convert_from(e.body, 'UTF8')::json ->> 'phone' as phone, count(*) from events e where e.kind = 'list' group by 1
) e on e.phone = r.recipient
where r.list_id = $1 and r.state <> 'skipped'`;

const PACE = `
with started as (
  select runs.created_at as at, runs.created_at - lag(runs.created_at) over (order by runs.created_at) as gap
  from send_list_rows r join runs on runs.id = r.run_id where r.list_id = $1
)
select count(*)::int as rows, coalesce(extract(epoch from max(at) - min(at)), 0)::float8 as seconds,
  coalesce(extract(epoch from sum(gap - interval '1 second') filter (where gap >= interval '1 second')), 0)::float8 as stood
from started`;
