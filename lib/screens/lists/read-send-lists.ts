// The lists of a workflow for their screens.
import { and, eq, sql } from 'drizzle-orm';
import { getCountries } from 'libphonenumber-js/min';
import * as z from 'zod';
import type { JsonObject } from '#lib/core/json/value.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import type { Context } from '#lib/identity/context.ts';
import { forecastList } from '#lib/lists/forecast.ts';
import { toBody } from '#lib/lists/plan-columns.ts';
import { getList, listLists, listRows, noSuchList } from '#lib/lists/read-list.ts';
import { type Forecast, type List, ROW_STATES, SKIP_REASONS, type SkipReason } from '#lib/lists/schema.ts';
import { sendListRows } from '#lib/lists/tables.ts';
import { recordMask } from '#lib/messaging/mask.ts';
import { getMessagePrices } from '#lib/messaging/reports/prices.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import { costOf } from '#lib/messaging/schema/message-prices.ts';
import type { ListPage } from '#lib/screens/list-types.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { usesOf } from '#lib/workflows/payload-drift.ts';
import { previewMessages } from './preview-send-list.ts';
import type { ListPlan, PhoneOfRow, SendListRow, SendListView, SkippedRows } from './send-list-types.ts';

const LISTS_A_PAGE = 25;
const ROWS_A_PAGE = 25;
const PHONES = 5;
const EXAMPLES = 3;
const SAMPLES = 20;

/** Invalid values count as absent. */
export const rowFilterSchema = z.object({
  state: z.enum(ROW_STATES).optional().catch(undefined),
  cursor: z.string().max(100).optional().catch(undefined),
});

/** Who looks. */
export type ListReader = Context & Pick<MemberContext, 'role' | 'masksNumbers'>;

/** Which list of which workflow. */
interface ListOf {
  workflowId: string;
  id: string;
}

/** The workflow with its newest lists. @throws AppError `not_found` */
export async function readSendListsPage(ctx: ListReader, workflowId: string) {
  const [workflow, firstPage] = await Promise.all([
    getWorkflow(ctx, { id: workflowId }),
    readSendLists(ctx, { workflowId, cursor: undefined }),
  ]);
  const { name, active, published_version: version } = workflow;
  const fields = await listFields(ctx, workflowId, version);
  return { name, firstPage, isActive: version !== null && active, exampleFile: writeExample(fields) };
}

/** Lists of a workflow, newest first. @throws AppError `not_found` */
export async function readSendLists(
  ctx: ListReader,
  { workflowId, cursor }: { workflowId: string; cursor: string | undefined },
): Promise<ListPage<List>> {
  return { ...(await listLists(ctx, { workflowId, cursor, limit: LISTS_A_PAGE })), searched_to: null };
}

/** A list, with what starting it would do before it was started. @throws AppError `not_found` */
export async function readSendList(ctx: ListReader, { workflowId, id }: ListOf): Promise<SendListView> {
  const list = await getList(ctx, { id });
  if (list.workflow_id !== workflowId) throw noSuchList();
  const { published_version: version, name: workflowName } = await getWorkflow(ctx, { id: workflowId });
  const isOpen = list.state !== 'stopped' && list.state !== 'finished' && list.counts.waiting > 0;
  const [{ data: rows }, skipped, fields, forecast] = await Promise.all([
    listRows(ctx, { id, limit: SAMPLES }),
    readSkipped(ctx, list),
    listFields(ctx, workflowId, version),
    isOpen && list.state !== 'checking' ? forecastList(toMessagingContext(ctx), list) : null,
  ]);
  const mask = recordMask(ctx);
  return {
    list,
    workflowName,
    columns: list.columns.map((name) => ({
      name,
      sample: mask(rows.map(({ values }) => write(values[name])).find((value) => value !== '') ?? ''),
    })),
    unfilled: fields.filter((field) => !isFilled(field, Object.keys(list.mapping.variables))),
    skipped,
    plan: list.started_at === null ? await planList(ctx, list, { version, forecast }) : null,
    endsAt: forecast && new Date(Date.now() + forecast.seconds * 1000).toISOString(),
  };
}

/** A page of the rows of a list. @throws AppError `not_found` */
export async function readSendListRows(
  ctx: ListReader,
  { workflowId, id, ...filter }: ListOf & z.output<typeof rowFilterSchema>,
): Promise<ListPage<SendListRow>> {
  const list = await getList(ctx, { id });
  if (list.workflow_id !== workflowId) throw noSuchList();
  const { data, next_cursor } = await listRows(ctx, { id, ...filter, limit: ROWS_A_PAGE });
  const mask = recordMask(ctx);
  const shown = data.map(({ line, recipient, values, state, skipped, run_id: runId }) => ({
    line,
    recipient: mask(recipient ?? write(values[list.mapping.recipient])),
    state,
    skipped,
    runId,
  }));
  return { data: shown, next_cursor, searched_to: null };
}

const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region' });

/** Countries for numbers without a country code, by their names. */
export function listCountries(): { value: string; label: string }[] {
  return getCountries()
    .map((value) => ({ value, label: COUNTRY_NAMES.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'));
}

async function planList(
  ctx: ListReader,
  list: List,
  { version, forecast }: { version: number | null; forecast: Forecast | null },
): Promise<ListPlan> {
  const { currency, prices } = await getMessagePrices(ctx);
  const messages = (forecast?.messages ?? []).map(({ category, count }) => {
    const key = category?.toLowerCase() ?? '';
    const { cost } = costOf({ delivered: count, categories: { [key]: count } }, prices);
    return { category, count, cost };
  });
  const phones = forecast && version !== null ? await readPhones(ctx, list, version) : [];
  return { people: list.counts.waiting, messages, currency, tierLeft: forecast?.tierLeft ?? null, phones };
}

async function readPhones(ctx: ListReader, list: List, version: number): Promise<PhoneOfRow[]> {
  const { id, workflow_id: workflowId, columns, mapping } = list;
  const published = await findVersion(ctx.db.$client, workflowId, version);
  if (!published) return [];
  const { data } = await listRows(ctx, { id, state: 'waiting', limit: PHONES });
  const mask = recordMask(ctx);
  const of = { workspaceId: ctx.workspaceId, workflowId, version, graph: published.compiled };
  return Promise.all(
    data.map(async ({ line, recipient, values }) => {
      const row = columns.map((column) => values[column]);
      const body = toBody(mapping, columns, row) as JsonObject;
      const messages = await previewMessages({ ...of, body });
      return {
        line,
        recipient: mask(recipient ?? ''),
        messages: messages.map((message) => ({
          ...message,
          captured: message.captured && mask(message.captured),
          problem: message.problem && mask(message.problem),
        })),
      };
    }),
  );
}

/** How many rows are skipped for each reason, with the first ones. */
async function readSkipped(ctx: ListReader, { id, counts, mapping }: List): Promise<SkippedRows[]> {
  if (counts.skipped === 0) return [];
  const counted = await ctx.db
    .select({ reason: sendListRows.skipped, count: sql<number>`count(*)::int` })
    .from(sendListRows)
    .where(and(eq(sendListRows.listId, id), eq(sendListRows.state, 'skipped')))
    .groupBy(sendListRows.skipped);
  const byReason = new Map<SkipReason | null, number>(counted.map(({ reason, count }) => [reason, count]));
  const mask = recordMask(ctx);
  return Promise.all(
    SKIP_REASONS.filter((reason) => byReason.has(reason)).map(async (reason) => {
      const { data } = await listRows(ctx, { id, skipped: reason, limit: EXAMPLES });
      const examples = data.map(({ line, values }) => ({
        line,
        value: mask(write(values[mapping.recipient])),
      }));
      return { reason, count: byReason.get(reason) ?? 0, examples };
    }),
  );
}

const write = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/** The fields of the body that the published version uses, such as `customer.name`. */
async function listFields(ctx: ListReader, workflowId: string, version: number | null): Promise<string[]> {
  const published = version === null ? undefined : await findVersion(ctx.db.$client, workflowId, version);
  return published ? usesOf(published.graph).map(({ label }) => label) : [];
}

/** Whether a field, or one that is inside of it, has a column. `customer_name` is another spelling of `customer.name`. */
function isFilled(field: string, filled: readonly string[]): boolean {
  const flat = (path: string): string => path.replaceAll('.', '_');
  return filled.some((path) => flat(path) === flat(field) || flat(path).startsWith(`${flat(field)}_`));
}

const EXAMPLE_ROWS = [
  ['+1 555 010 1001', 'Ana'],
  ['+1 555 010 1002', 'Ben'],
];
const NUMBER = /phone|number|mobile|recipient/i;

/** A file with a column for each field that the workflow uses. */
function writeExample(fields: readonly string[]): string {
  const recipient = fields.find((field) => NUMBER.test(field)) ?? 'phone';
  const others = fields.filter((field) => field !== recipient);
  const columns = [recipient, ...(others.length === 0 ? ['name'] : others)];
  const rows = EXAMPLE_ROWS.map(([number, name]) => [
    number,
    ...columns.slice(1).map((column) => (/name/i.test(column) ? name : `example ${column}`)),
  ]);
  return [columns, ...rows].map((cells) => `${cells.map(quote).join(',')}\r\n`).join('');
}

const quote = (text = ''): string => (/[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
