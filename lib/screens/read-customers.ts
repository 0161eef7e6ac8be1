// Customers and what was said with them, masked for the reader.
import * as z from 'zod';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { Page, PageInput } from '#lib/core/db/paging.ts';
import { AppError } from '#lib/core/errors.ts';
import { draftRevisionOf } from '#lib/engine/draft-run.ts';
import { readBody } from '#lib/events/event-row.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { type CustomerRow, findCustomerRow } from '#lib/messaging/customers/customer-rows.ts';
import { getConsentSettings } from '#lib/messaging/consent/consent-settings.ts';
import { readConsent } from '#lib/messaging/consent/consents.ts';
import { readHold } from '#lib/messaging/consent/holds.ts';
import { listWindows } from '#lib/messaging/conversations/customer-windows.ts';
import { listCustomers } from '#lib/messaging/customers/list-customers.ts';
import { listTimeline, loadCustomer, type TimelineItem } from '#lib/messaging/conversations/list-timeline.ts';
import { findAttributes } from '#lib/messaging/attributes/attributes.ts';
import { toAttributeValue } from '#lib/messaging/schema/attribute-types.ts';
import { hidesNumbersFrom, listMask, recordMask } from '#lib/messaging/mask.ts';
import { isWindowClosed } from '#lib/messaging/sending/find-window.ts';
import { toRunMessage } from '#lib/runs/get-run.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import type { Customer, CustomerSummary, TimelineMessage } from './customer-schema.ts';
import { listFilterFields } from './list-filter.ts';
import type { ListPage } from './list-types.ts';
import { readSaid } from './read-conversations.ts';
import { inTheirOrder } from './read-run.ts';
import { maskWithin } from './run-mask.ts';

export type CustomerReader = ActorContext & Pick<MemberContext, 'role' | 'masksNumbers'>;

type Clean = (text: string) => string;

const { text, cursor, limit } = listFilterFields;

/** The URL filters of the customers list; invalid values count as absent. */
export const customerFilterSchema = z.object({ text, cursor, limit });

/** Input of the verb. */
export const toCustomerInput = ({
  text: search,
  ...page
}: z.output<typeof customerFilterSchema>): PageInput & { search: string | undefined } => ({
  ...page,
  search,
});

/**
 * A page of customers, newest first. Those who never see numbers in full find them by their last four digits only, as in the
 * searches of events and runs. @param isList masked as in lists of screens, for everyone
 */
export async function readCustomers(
  ctx: CustomerReader,
  input: PageInput & { search?: string | undefined },
  { isList }: { isList: boolean },
): Promise<ListPage<CustomerSummary>> {
  const clean = isList ? listMask(ctx) : recordMask(ctx);
  const { data, ...page } = await listCustomers(ctx, { ...input, hidesNumbers: hidesNumbersFrom(ctx) });
  return { ...page, data: data.map((row) => toSummary(row, clean)) };
}

const toSummary = (row: CustomerRow, clean: Clean): CustomerSummary => ({
  id: row.id,
  numbers: row.numbers.map(clean),
  user_ids: row.userIds.map(clean),
  profile_name: row.profileName === null ? null : clean(row.profileName),
  last_message: row.lastMessage && {
    at: row.lastMessage.at.toISOString(),
    direction: row.lastMessage.direction,
  },
  seen_at: row.seenAt.toISOString(),
});

/** @throws AppError `not_found` */
export const readCustomer = async (ctx: CustomerReader, id: string): Promise<Customer> =>
  toCustomer(ctx, await loadCustomer(ctx, id));

/** All that a customer's page shows at first; they are looked up once. @throws AppError `not_found` */
export async function readCustomerPage(ctx: CustomerReader, id: string) {
  const row = await loadCustomer(ctx, id);
  const [customer, firstPage, consent] = await Promise.all([
    toCustomer(ctx, row),
    toTimelinePage(ctx, row),
    readConsentOf(ctx, row),
  ]);
  return { customer, firstPage, consent };
}

async function toCustomer(ctx: CustomerReader, row: CustomerRow): Promise<Customer> {
  const [windows, attributes] = await Promise.all([
    listWindows(ctx, row),
    findAttributes(
      ctx,
      row.names.map(({ name }) => name),
    ),
  ]);
  const now = new Date();
  return {
    ...toSummary(row, recordMask(ctx)),
    attributes: attributes.map((each) => maskWithin(each, recordMask(ctx))),
    windows: windows.map(({ phoneNumberId, label, ...window }) => ({
      phone_number_id: phoneNumberId,
      phone_number: label,
      state: isWindowClosed(window, now) ? 'closed' : 'open',
      last_message_at: window.lastMessageAt.toISOString(),
      closes_at: window.closesAt.toISOString(),
    })),
  };
}

/** What a customer agreed to or stopped, and their hold. */
async function readConsentOf(ctx: CustomerReader, { id: customerId, names }: CustomerRow) {
  const customer = { customerId, names: names.map(({ name }) => name) };
  const [{ marketing, all, kept_stop: kept }, { hold }, settings] = await Promise.all([
    readConsent(ctx, customer),
    readHold(ctx, customer),
    getConsentSettings(ctx),
  ]);
  const toCurrent = (current: typeof all) =>
    current && { state: current.state, since: current.since, by: current.evidence.kind };
  return {
    marketing: toCurrent(marketing),
    all: toCurrent(all),
    keptStop: kept && { purpose: kept.purpose, erasedAt: kept.erased_at },
    hold: hold && {
      since: hold.since,
      until: hold.until,
      reason: recordMask(ctx)(hold.reason),
      sends: hold.sends,
      deadlines: hold.deadlines,
      waiting_runs: hold.waiting_runs,
    },
    holdDefaults: { sends: settings.hold_sends, deadlines: settings.hold_deadlines },
  };
}

/** The profile name, number or user id of a customer, for a list; null: they do not exist. */
export async function readCustomerName(ctx: CustomerReader, id: string): Promise<string | null> {
  const row = await findCustomerRow(ctx, id);
  const name = row && (row.profileName ?? row.numbers[0] ?? row.userIds[0]);
  return name === undefined ? null : listMask(ctx)(name);
}

/** A page of a customer's messages, newest first. @throws AppError `not_found` */
export async function readTimeline(
  ctx: CustomerReader,
  input: PageInput & { id: string },
): Promise<Page<TimelineMessage>> {
  return toTimelineOf(ctx, await loadCustomer(ctx, input.id), input);
}

async function toTimelineOf(
  ctx: CustomerReader,
  row: CustomerRow,
  page: PageInput,
): Promise<Page<TimelineMessage>> {
  const { data, next_cursor } = await listTimeline(ctx, row, page);
  return { data: await toTimeline(ctx, data), next_cursor };
}

const TIMELINE_ROWS = 25;

/** The same as a page of a list on screen. */
export const readTimelinePage = async (
  ctx: CustomerReader,
  id: string,
  after?: string,
): Promise<ListPage<TimelineMessage>> => toTimelinePage(ctx, await loadCustomer(ctx, id), after);

const toTimelinePage = async (
  ctx: CustomerReader,
  row: CustomerRow,
  after?: string,
): Promise<ListPage<TimelineMessage>> => ({
  ...(await toTimelineOf(ctx, row, { limit: TIMELINE_ROWS, cursor: after })),
  searched_to: null,
});

interface RunOfMessage {
  id: string;
  workflow_id: string;
  version: number;
  event_id: string;
}

const RUNS =
  'select id, workflow_id, version, event_id from runs where workspace_id = $1 and id = any($2::uuid[])';

async function findRuns(
  { db, workspaceId }: CustomerReader,
  items: readonly TimelineItem[],
): Promise<Map<string, RunOfMessage>> {
  const ids = new Set(items.flatMap((item) => runIdsOf(item)));
  if (ids.size === 0) return new Map();
  const { rows } = await db.$client.query<RunOfMessage>(RUNS, [workspaceId, [...ids]]);
  return new Map(rows.map((row) => [row.id, row]));
}

function runIdsOf(item: TimelineItem): string[] {
  if (item.direction === 'remembered') {
    const { run_id: runId } = item.change.evidence;
    return runId === undefined ? [] : [runId];
  }
  if (item.direction === 'sent') return item.message.runId === null ? [] : [item.message.runId];
  return item.events.flatMap(({ runId }) => runId ?? []);
}

/** Messages and attributes as screens and the API have them. */
export async function toTimeline(
  ctx: CustomerReader,
  items: readonly TimelineItem[],
): Promise<TimelineMessage[]> {
  const runs = await findRuns(ctx, items);
  const [names, said] = await Promise.all([
    findWorkflowNames(
      ctx,
      [...runs.values()].map((run) => run.workflow_id),
    ),
    readTexts(ctx, items, runs),
  ]);
  const clean = recordMask(ctx);
  return items.map((item) => {
    const own = runIdsOf(item).flatMap((id) => runs.get(id) ?? []);
    const linked = {
      direction: item.direction,
      at: item.at.toISOString(),
      runs: own.map((run) => ({
        run_id: run.id,
        workflow_id: run.workflow_id,
        workflow_name: names.get(run.workflow_id)?.name ?? null,
        version: draftRevisionOf(run.version) === null ? run.version : null,
      })),
    };
    if (item.direction === 'remembered') return { ...linked, ...toRemembered(item, clean) };
    if (item.direction === 'received') return { ...linked, ...toReceived(item, clean) };
    const { message } = item;
    return {
      ...linked,
      ...toSent(item, said.get(message.messageId), clean),
      event_ids: own.map((run) => run.event_id),
    };
  });
}

type Unlinked = Omit<TimelineMessage, 'direction' | 'at' | 'runs'>;

const toRemembered = (
  {
    change: { id, customer, attribute: name, type, value, evidence },
  }: Extract<TimelineItem, { direction: 'remembered' }>,
  clean: Clean,
): Unlinked => ({
  id: `attribute:${id}`,
  phone_number_id: '',
  customer: clean(customer),
  kind: null,
  template: null,
  attribute: {
    name,
    type,
    value: value === null ? null : maskWithin(toAttributeValue(type, value) as string, clean),
    by: evidence.kind,
  },
  text: null,
  status: null,
  problem: null,
  statuses: [],
  event_ids: [],
});

function toReceived(item: Extract<TimelineItem, { direction: 'received' }>, clean: Clean): Unlinked {
  const { messageId, phoneNumberId, customer, type, events } = item;
  const text = readText(events.find(({ body }) => body !== null)?.body ?? null);
  return {
    id: messageId,
    phone_number_id: phoneNumberId,
    customer: clean(customer),
    kind: type,
    template: null,
    attribute: null,
    text: text === null ? null : clean(text),
    status: null,
    problem: null,
    statuses: [],
    event_ids: events.map(({ eventId }) => eventId),
  };
}

/** Of an event, as workflows get it; null: it was removed. */
function readText(body: Buffer | null): string | null {
  const fields = body && (readBody(body).body as Record<string, JsonValue> | null);
  return fields ? toText(fields['text']) : null;
}

function toSent(
  { message }: Extract<TimelineItem, { direction: 'sent' }>,
  said: SaidMessage | undefined,
  clean: Clean,
): Omit<Unlinked, 'event_ids'> {
  const { id, recipient, template, status, problem, statuses } = toRunMessage({
    ...message,
    timeline: inTheirOrder(message.timeline),
  });
  return {
    id,
    phone_number_id: message.phoneNumberId,
    customer: clean(recipient),
    kind: message.kind,
    template,
    attribute: null,
    text: said ? said.text : null,
    status,
    problem: problem === null ? null : clean(problem),
    statuses: maskWithin(statuses, clean),
  };
}

/** Each run is read on its own. */
const MAX_RUNS_WITH_TEXTS = 25;

/** What the messages say that runs sent, by the platform's ids: rendered again from their tasks, unless retention removed those. */
async function readTexts(
  ctx: CustomerReader,
  items: readonly TimelineItem[],
  runs: ReadonlyMap<string, RunOfMessage>,
): Promise<Map<string, SaidMessage>> {
  const sent = items.flatMap((item) => (item.direction === 'sent' ? [item.message] : []));
  const byRun = Map.groupBy(sent, ({ runId }) => runId ?? '');
  const texts = await Promise.all(
    [...byRun]
      .filter(([runId]) => runs.has(runId))
      .slice(0, MAX_RUNS_WITH_TEXTS)
      .map(([runId, messages]) =>
        readSaid(ctx, runId, [...new Set(messages.map(({ iteration }) => iteration ?? ''))]).catch(
          ignoreRemoved,
        ),
      ),
  );
  return new Map(texts.flatMap((each) => [...each]));
}

/** Retention may remove a run, or its event, while it is read. */
function ignoreRemoved(error: unknown): Map<string, SaidMessage> {
  if (error instanceof AppError && error.code === 'not_found') return new Map();
  throw error;
}
