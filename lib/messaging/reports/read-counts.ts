// What reports read: the counts of days, never messages.
import type { Context } from '#lib/identity/context.ts';
import { listKnownNumbers } from '#lib/messaging/limits/count-customers.ts';
import type { Counts } from '#lib/messaging/schema/message-days.ts';
import type { ReportGrouping } from '#lib/messaging/schema/report-groupings.ts';
import type { SentKind } from '#lib/messaging/schema/messaging.ts';
import { type Reached, sumCounts } from './count-messages.ts';

/** The days of a report in the workspace's zone, first and last inclusive, such as `2026-11-01`. */
export interface DaySpan {
  from: string;
  to: string;
}

/** Numbers of the messages of a group, or of all, by what the platform and customers responded. */
interface Facts {
  failures: Counts;
  categories: Counts;
  /** By the number of their time in `ANSWER_SECONDS`. */
  answer_times: Counts;
}

const NO_FACTS: Facts = { failures: {}, categories: {}, answer_times: {} };

/** Messages with the same day, template, number or workflow. */
export interface CountedGroup extends Reached, Facts {
  /** Of a message that was no template by template: empty. */
  key: string;
  /** The type of the messages, by template. */
  kind: SentKind | null;
}

export interface CountedSpan {
  /** Of all groups. */
  totals: Reached & Facts;
  groups: CountedGroup[];
  /** When the newest days were counted; null: never. */
  countedAt: Date | null;
  /** Days with messages that are not counted yet. */
  pendingDays: number;
}

const GROUP_COLUMNS: Readonly<Record<ReportGrouping, { key: string; kind: string }>> = {
  day: { key: '(day + day_shift)::text', kind: 'null' },
  template: { key: 'template_name', kind: 'kind' },
  number: { key: 'phone_number_id', kind: 'null' },
  workflow: { key: 'workflow_id::text', kind: 'null' },
};

/** A report lists no more groups than this, those with the most messages. */
const MAX_GROUPS = 1000;

/** Days in the workspace's zone, by the index over those in UTC. */
const AROUND = 'workspace_id = $1 and day between $2::date - 1 and $3::date + 1';
const OF_SPAN = `from message_days where ${AROUND} and day + day_shift between $2::date and $3::date`;

const SUMS = `coalesce(sum(accepted), 0)::int as accepted, coalesce(sum(sent), 0)::int as sent,
  coalesce(sum(delivered), 0)::int as delivered, coalesce(sum(read), 0)::int as read, coalesce(sum(answered), 0)::int as answered,
  coalesce(sum(failed), 0)::int as failed`;

const TOTALS = `select ${SUMS} ${OF_SPAN}`;

const groupsBy = (by: ReportGrouping): string => {
  const { key, kind } = GROUP_COLUMNS[by];
  return `
select ${key} as key, ${kind} as kind, ${SUMS} ${OF_SPAN} group by 1, 2 order by sum(accepted) desc, 1, 2 limit ${MAX_GROUPS}`;
};

/** The counts of a group as they are: adding them up takes ten times as long in PostgreSQL. */
const factsBy = (by: ReportGrouping): string => {
  const { key, kind } = GROUP_COLUMNS[by];
  return `
select ${key} as key, ${kind} as kind, coalesce(json_agg(failures) filter (where failed > 0), '[]') as failures,
  coalesce(json_agg(categories) filter (where delivered > 0), '[]') as categories,
  coalesce(json_agg(answer_times) filter (where answered > 0), '[]') as answer_times ${OF_SPAN} group by 1, 2`;
};

type GroupKey = Pick<CountedGroup, 'key' | 'kind'>;
type FactRow = GroupKey & Readonly<Record<keyof Facts, readonly Counts[]>>;

const groupKey = ({ key, kind }: GroupKey): string => `${kind} ${key}`;

const sumFacts = ({ failures, categories, answer_times: times }: Omit<FactRow, keyof GroupKey>): Facts => ({
  failures: sumCounts(failures),
  categories: sumCounts(categories),
  answer_times: sumCounts(times),
});

const STATE = `
select least((select searched_at from message_counting),
    (select counted_at from counted_days where workspace_id = $1 and next_at is not null order by day desc limit 1)) as "countedAt",
  (select count(*)::int from counted_days where ${AROUND} and counted_at is null) as "pendingDays"`;

/** The counts of a span of days. */
export async function readCounts(
  { db: { $client: pool }, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { from, to, by }: DaySpan & { by: ReportGrouping },
): Promise<CountedSpan> {
  const span = [workspaceId, from, to];
  const [totals, groups, facts, state] = await Promise.all([
    pool.query<Reached>(TOTALS, span),
    pool.query<Reached & GroupKey>(groupsBy(by), span),
    pool.query<FactRow>(factsBy(by), span),
    pool.query<Pick<CountedSpan, 'countedAt' | 'pendingDays'>>(STATE, span),
  ]);
  const factsOf = new Map(facts.rows.map((row) => [groupKey(row), sumFacts(row)]));
  const all = [...factsOf.values()];
  return {
    totals: {
      ...(totals.rows[0] ?? { accepted: 0, sent: 0, delivered: 0, read: 0, answered: 0, failed: 0 }),
      failures: sumCounts(all.map(({ failures }) => failures)),
      categories: sumCounts(all.map(({ categories }) => categories)),
      answer_times: sumCounts(all.map((each) => each.answer_times)),
    },
    groups: groups.rows.map((group) => ({ ...group, ...(factsOf.get(groupKey(group)) ?? NO_FACTS) })),
    countedAt: state.rows[0]?.countedAt ?? null,
    pendingDays: state.rows[0]?.pendingDays ?? 0,
  };
}

/** The labels of the workspace's phone numbers by their ids, from the last checks of connections. */
export const readNumberLabels = async (
  ctx: Pick<Context, 'db' | 'workspaceId'>,
): Promise<ReadonlyMap<string, string>> =>
  new Map((await listKnownNumbers(ctx)).map(({ id, label }) => [id, label]));
