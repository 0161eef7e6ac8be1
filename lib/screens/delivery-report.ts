import { LOWEST_ID } from '#lib/core/ids.ts';
import { AppError } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { NO_CODE, type Reached } from '#lib/messaging/reports/count-messages.ts';
import { getMessagePrices } from '#lib/messaging/reports/prices.ts';
import { type CountedGroup, readCounts, readNumberLabels } from '#lib/messaging/reports/read-counts.ts';
import { costOf, FREE, type MessagePrices } from '#lib/messaging/schema/message-prices.ts';
import { medianSeconds, type ReportGrouping } from '#lib/messaging/schema/report-groupings.ts';
import type { SentKind } from '#lib/messaging/schema/messaging.ts';
import { explainCode } from '#lib/messaging/sending/find-message.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import {
  type DeliveryReport,
  type DeliveryReportRow,
  findSpanProblem,
  listDays,
  type ReportQuery,
  toReportSpan,
} from './report-types.ts';

type Counted = Reached & Pick<CountedGroup, 'answer_times' | 'categories'>;
type Prices = MessagePrices['prices'];
type WorkspaceContext = Pick<Context, 'db' | 'workspaceId'>;

const NOTHING: Counted = {
  ...{ accepted: 0, sent: 0, delivered: 0, read: 0, answered: 0, failed: 0 },
  answer_times: {},
  categories: {},
};

/** What happened to the messages that the workspace sent in a span of days. It contains no customers. */
export async function readDeliveryReport(ctx: WorkspaceContext, query: ReportQuery): Promise<DeliveryReport> {
  const { by } = query;
  const { zone } = await getWorkspaceTime(ctx);
  const span = toReportSpan(query, { zone });
  const problem = findSpanProblem(span);
  if (problem !== undefined)
    throw new AppError('invalid_request', `There is no report for this. ${problem}`, {
      problems: [{ path: 'from', message: problem }],
    });
  const [counted, { currency, prices }] = await Promise.all([
    readCounts(ctx, { ...span, by }),
    getMessagePrices(ctx),
  ]);
  const { totals, groups, countedAt, pendingDays } = counted;
  return {
    ...span,
    zone,
    by,
    counted_at: countedAt?.toISOString() ?? null,
    pending_days: pendingDays,
    currency: Object.keys(prices).length === 0 ? null : currency,
    totals: toNumbers(totals, prices),
    data: by === 'day' ? fillDays(span, groups, prices) : await withLabels(ctx, { by, groups, prices }),
    failures: sortByCount(totals.failures).map(([code, messages]) => ({
      code: code === NO_CODE ? null : code,
      messages,
      ...explainCode(code === NO_CODE ? null : code),
    })),
    categories: sortByCount(totals.categories).map(([category, messages]) => ({
      category,
      messages,
      price: category === FREE ? '0' : (prices[category] ?? null),
      cost: costOf({ delivered: messages, categories: { [category]: messages } }, prices).cost,
    })),
  };
}

const sortByCount = (counts: Readonly<Record<string, number>>): [string, number][] =>
  Object.entries(counts).toSorted(([, a], [, b]) => b - a);

const toNumbers = (counted: Counted, prices: Prices): DeliveryReport['totals'] => {
  const { accepted, sent, delivered, read, answered, failed, answer_times: times } = counted;
  return {
    ...{ accepted, sent, delivered, read, answered },
    median_answer_seconds: medianSeconds(times),
    failed,
    ...costOf(counted, prices),
  };
};

/** Days without messages, too, from the first to the last. */
function fillDays(
  span: { from: string; to: string },
  groups: readonly CountedGroup[],
  prices: Prices,
): DeliveryReportRow[] {
  const byDay = new Map(groups.map((group) => [group.key, group]));
  return listDays(span).map((day) => ({
    key: day,
    label: day,
    ...toNumbers(byDay.get(day) ?? NOTHING, prices),
  }));
}

interface Labeled {
  by: Exclude<ReportGrouping, 'day'>;
  groups: readonly CountedGroup[];
  prices: Prices;
}

async function withLabels(
  ctx: WorkspaceContext,
  { by, groups, prices }: Labeled,
): Promise<DeliveryReportRow[]> {
  const labelOf = await LABELS[by](ctx, groups);
  return groups.map((group) => ({ ...labelOf(group), ...toNumbers(group, prices) }));
}

type LabelOf = (group: CountedGroup) => Pick<DeliveryReportRow, 'key' | 'label'>;

const LABELS: Readonly<
  Record<
    Exclude<ReportGrouping, 'day'>,
    (ctx: WorkspaceContext, groups: readonly CountedGroup[]) => Promise<LabelOf>
  >
> = {
  async template() {
    return ({ key, kind }) =>
      key === '' ? { key: kind ?? '', label: kind === null ? '' : KIND_LABELS[kind] } : { key, label: key };
  },
  async number(ctx) {
    const labels = await readNumberLabels(ctx);
    return ({ key }) => ({ key, label: labels.get(key) ?? key });
  },
  async workflow(ctx, groups) {
    const names = await findWorkflowNames(
      ctx,
      groups.map(({ key }) => key),
    );
    return ({ key }) => {
      if (key === LOWEST_ID) return { key: '', label: 'Not sent by a workflow' };
      const known = names.get(key);
      if (!known) return { key, label: 'Deleted workflow' };
      return { key, label: known.isDeleted ? `${known.name} (deleted)` : known.name };
    };
  },
};

/** Of messages that are no template. */
const KIND_LABELS: Readonly<Record<SentKind, string>> = {
  template: 'Template',
  text: 'Text',
  media: 'Image, video or file',
  question: 'Question',
  buttons: 'Buttons',
  list: 'List',
  cta_url: 'Link button',
  location_request: 'Location request',
  location: 'Location',
  contacts: 'Contacts',
  sticker: 'Sticker',
  reaction: 'Reaction',
};
