// The counts of one day (docs/decisions/delivery-report.md), from one statement over its messages.
import { LOWEST_ID } from '#lib/core/ids.ts';
import { boundsOfDay } from '#lib/core/time/hours.ts';
import type { Queryable } from '#lib/core/db/client.ts';
import type { Counts } from '#lib/messaging/schema/message-days.ts';
import type { MessageStatus } from '#lib/messaging/schema/message-statuses.ts';
import { FREE } from '#lib/messaging/schema/message-prices.ts';
import { ANSWER_SECONDS } from '#lib/messaging/schema/report-groupings.ts';
import type { SentKind } from '#lib/messaging/schema/messaging.ts';

/** What the messages of a row of `message_days` have in common. */
interface GroupKey {
  /** From the day in UTC to the one in the workspace's zone: -1, 0 or 1; left out by versions before 0.3.0: 0. */
  day_shift?: number;
  phone_number_id: string;
  kind: SentKind;
  /** Empty: it was no template. */
  template_name: string;
  /** `LOWEST_ID`: none. */
  workflow_id: string;
}

/** How far messages came: each number includes the further ones, except those that failed, and answers, which need no status. */
export interface Reached {
  accepted: number;
  sent: number;
  delivered: number;
  read: number;
  answered: number;
  failed: number;
}

export interface MessageGroup extends GroupKey, Reached {
  failures: Counts;
  categories: Counts;
  /** Answered messages by the number of their time in `ANSWER_SECONDS`. */
  answer_times: Counts;
}

/** Messages of one group with the same outcome. */
interface CountedOutcome extends GroupKey {
  /** 0 to 23, in UTC. */
  hour: number;
  status: MessageStatus;
  /** The platform's error code, of failed messages; null: it gave none. */
  code: string | null;
  /** Null: no price was reported yet. */
  category: string | null;
  /** The number of its time in `ANSWER_SECONDS`; null: not answered. */
  answer_time: number | null;
  messages: number;
}

/** A failure without an error code. */
export const NO_CODE = '0';

/**
 * `$1` workspace, `$2` and `$3` first instant and end, `$4` and `$5` first instant and end of the same day in the workspace's zone. Messages that other systems sent are known by their statuses only and
 * have no kind. A message sent before 0.3.0 has the workflow of its run.
 */
const COUNT = `
select extract(hour from created_at at time zone 'utc')::int as hour,
  case when created_at < $4 then -1 when created_at >= $5 then 1 else 0 end as day_shift, phone_number_id, kind, coalesce(template_name, '') as template_name,
  coalesce(s.workflow_id, (select r.workflow_id from runs r where s.workflow_id is null and r.id = s.run_id), '${LOWEST_ID}')
    as workflow_id,
  status, case when status = 'failed' then errors -> 0 ->> 'code' end as code,
  (select case when step -> 'pricing' ->> 'type' like 'free%' then '${FREE}' else step -> 'pricing' ->> 'category' end
    from json_array_elements(timeline) step where step -> 'pricing' is not null limit 1) as category,
  case when answered_at is not null
    then width_bucket(extract(epoch from answered_at - created_at), array[${ANSWER_SECONDS.join()}]::numeric[]) - 1 end as answer_time,
  count(*)::int as messages
from sent_messages s
where workspace_id = $1 and created_at >= $2 and created_at < $3 and kind is not null
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`;

interface Instants {
  from: Date;
  to: Date;
}

/** A part of a day in UTC, and the zone of the workspace. */
export interface PartOfDay extends Instants {
  day: string;
  zone: string;
}

async function readOutcomes(
  db: Queryable,
  workspaceId: string,
  { from, to, day, zone }: PartOfDay,
): Promise<CountedOutcome[]> {
  if (from >= to) return [];
  const { start, end } = boundsOfDay(day, zone);
  return (await db.query<CountedOutcome>(COUNT, [workspaceId, from, to, start, end])).rows;
}

/** The messages of a part of a day by group. */
export const countMessages = async (
  db: Queryable,
  workspaceId: string,
  span: PartOfDay,
): Promise<MessageGroup[]> => mergeGroups((await readOutcomes(db, workspaceId, span)).map(toGroup));

/** The same by hour. */
export async function countByHour(
  db: Queryable,
  workspaceId: string,
  span: PartOfDay,
): Promise<ReadonlyMap<number, MessageGroup[]>> {
  const hours = Map.groupBy(await readOutcomes(db, workspaceId, span), ({ hour }) => hour);
  return new Map([...hours].map(([hour, outcomes]) => [hour, mergeGroups(outcomes.map(toGroup))]));
}

/** Each group once. */
export function mergeGroups(groups: readonly MessageGroup[]): MessageGroup[] {
  const byKey = Map.groupBy(groups, ({ day_shift = 0, phone_number_id, kind, template_name, workflow_id }) =>
    JSON.stringify([day_shift, phone_number_id, kind, template_name, workflow_id]),
  );
  return [...byKey.values()].map((same) => same.reduce(add));
}

const REACHED: Readonly<Record<MessageStatus, Omit<Reached, 'accepted' | 'answered'>>> = {
  accepted: { sent: 0, delivered: 0, read: 0, failed: 0 },
  sent: { sent: 1, delivered: 0, read: 0, failed: 0 },
  delivered: { sent: 1, delivered: 1, read: 0, failed: 0 },
  read: { sent: 1, delivered: 1, read: 1, failed: 0 },
  played: { sent: 1, delivered: 1, read: 1, failed: 0 },
  failed: { sent: 0, delivered: 0, read: 0, failed: 1 },
};

function toGroup({
  hour: _,
  status,
  code,
  category,
  answer_time: time,
  messages,
  ...key
}: CountedOutcome): MessageGroup {
  const { sent, delivered, read, failed } = REACHED[status];
  return {
    ...key,
    accepted: messages,
    sent: sent * messages,
    delivered: delivered * messages,
    read: read * messages,
    answered: time === null ? 0 : messages,
    failed: failed * messages,
    failures: status === 'failed' ? { [code ?? NO_CODE]: messages } : {},
    categories: category === null || delivered === 0 ? {} : { [category]: messages },
    answer_times: time === null ? {} : { [time]: messages },
  };
}

const add = (a: MessageGroup, b: MessageGroup): MessageGroup => ({
  ...a,
  accepted: a.accepted + b.accepted,
  sent: a.sent + b.sent,
  delivered: a.delivered + b.delivered,
  read: a.read + b.read,
  answered: a.answered + b.answered,
  failed: a.failed + b.failed,
  failures: sumCounts([a.failures, b.failures]),
  categories: sumCounts([a.categories, b.categories]),
  answer_times: sumCounts([a.answer_times, b.answer_times]),
});

/** Their sum, by name. */
export function sumCounts(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
