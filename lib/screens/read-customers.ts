// Customers and what was said with them, masked for the reader.
import * as z from 'zod';
import type { Page, PageInput } from '#lib/core/db/paging.ts';
import { type CustomerRow, findCustomerRow } from '#lib/messaging/customers/customer-rows.ts';
import { getConsentSettings } from '#lib/messaging/consent/consent-settings.ts';
import { readConsent } from '#lib/messaging/consent/consents.ts';
import { readHold } from '#lib/messaging/consent/holds.ts';
import { listWindows } from '#lib/messaging/conversations/customer-windows.ts';
import { listCustomers } from '#lib/messaging/customers/list-customers.ts';
import { listTimeline, loadCustomer } from '#lib/messaging/conversations/list-timeline.ts';
import { findAttributes } from '#lib/messaging/attributes/attributes.ts';
import { hidesNumbersFrom, listMask, recordMask } from '#lib/messaging/mask.ts';
import { isWindowClosed } from '#lib/messaging/sending/find-window.ts';
import type { Customer, CustomerSummary, TimelineMessage } from './customer-schema.ts';
import { listFilterFields } from './list-filter.ts';
import type { ListPage } from './list-types.ts';
import { maskWithin } from './run-mask.ts';
import { type CustomerReader, toTimeline } from './read-message.ts';

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
