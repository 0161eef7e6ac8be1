// The delivery report, as screens and the API have it. Isomorphic.
import * as z from 'zod';
import { toLocal } from '#lib/core/time/zones.ts';
import { REPORT_GROUPINGS } from '#lib/messaging/schema/report-groupings.ts';

export const MAX_REPORT_DAYS = 366;
const DEFAULT_DAYS = 7;
const DAY_MS = 86_400_000;

/** A day, such as 2026-11-01. @param daysAgo before the one of `nowMs` in the zone */
export const dayBefore = (nowMs: number, daysAgo: number, zone = 'UTC'): string =>
  new Date((zone === 'UTC' ? nowMs : toLocal(new Date(nowMs), zone).getTime()) - daysAgo * DAY_MS)
    .toISOString()
    .slice(0, 10);

/** Every day from the first to the last one. */
export function listDays({ from, to }: { from: string; to: string }): string[] {
  const firstMs = Date.parse(from);
  const count = Math.round((Date.parse(to) - firstMs) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => dayBefore(firstMs, -index));
}

const day = z
  .string()
  .refine((text) => z.iso.date().safeParse(text).success, 'Enter a date such as 2026-11-01.');

/** The span with what is left out filled in. @param now and the zone in which it is today */
export function toReportSpan(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  { nowMs = Date.now(), zone }: { nowMs?: number; zone: string },
): { from: string; to: string } {
  const last = to ?? dayBefore(nowMs, 0, zone);
  return { from: from ?? dayBefore(Date.parse(last), DEFAULT_DAYS - 1), to: last };
}

/** Why there is no report for a span, for its `from`. */
export function findSpanProblem(span: { from: string; to: string }): string | undefined {
  if (span.from > span.to) return '"from" must not be after "to".';
  return listDays(span).length > MAX_REPORT_DAYS
    ? `A report has at most ${MAX_REPORT_DAYS} days: enter a later "from" or an earlier "to".`
    : undefined;
}

export const reportQuerySchema = z
  .strictObject({
    from: day.optional().meta({
      description: 'The first day, in the workspace’s time zone. Left out: 6 days before `to`.',
    }),
    to: day.optional().meta({ description: 'The last day, included. Left out: today.' }),
    by: z
      .enum(REPORT_GROUPINGS)
      .default('day')
      .meta({ description: 'What the rows are of. template: messages that are no template by their type.' }),
  })
  .superRefine((query, check) => {
    // Which day is today is known with the workspace's zone.
    const message =
      query.to === undefined ? undefined : findSpanProblem(toReportSpan(query, { zone: 'UTC' }));
    if (message !== undefined) check.addIssue({ code: 'custom', path: ['from'], message });
  });
export type ReportQuery = z.output<typeof reportQuerySchema>;

const count = (description: string) => z.int().meta({ description });

const reached = {
  accepted: z.int(),
  sent: z.int(),
  delivered: z.int(),
  read: z.int(),
  answered: count('Messages that the customer answered within 24 hours.'),
  median_answer_seconds: z.int().nullable().meta({
    description:
      'The time within which half of the answers came, from classes of times; null: there are none.',
  }),
  failed: z.int(),
};

const cost = {
  cost: z.string().nullable().meta({
    description:
      'What the delivered messages with a known price cost, in the currency of the report, such as 12.5; null: no price is known.',
  }),
  unpriced: count('Delivered messages that are not in the cost: their price or category is unknown.'),
};

const rowSchema = z
  .strictObject({
    key: z.string().meta({
      description:
        'Day, template name, phone number ID or workflow ID; a type such as `text` without a template; empty: no workflow.',
    }),
    label: z.string(),
    ...reached,
    ...cost,
  })
  .meta({ id: 'DeliveryReportRow' });

const failureSchema = z
  .strictObject({
    code: z.string().nullable().meta({ description: 'The platform’s error code; null: it gave none.' }),
    messages: count('Failed with it.'),
    reason: z.string(),
    fix: z.string().nullable().meta({ description: 'What to do; null: unknown.' }),
  })
  .meta({ id: 'DeliveryReportFailure' });

export const reportSchema = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    zone: z.string().meta({ description: 'The time zone of the days: the workspace’s.' }),
    by: z.enum(REPORT_GROUPINGS),
    counted_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When today was counted last; null: nothing was counted yet.' }),
    pending_days: count('Days not counted yet.'),
    currency: z
      .string()
      .nullable()
      .meta({ description: 'Of the prices in `/workspace/prices`; null: none were entered.' }),
    totals: z.strictObject({ ...reached, ...cost }),
    data: z.array(rowSchema),
    failures: z.array(failureSchema),
    categories: z
      .array(
        z.strictObject({
          category: z.string().meta({
            description: 'Such as marketing, utility or authentication; free: the platform charges nothing.',
          }),
          messages: z.int(),
          price: z.string().nullable().meta({ description: 'Of one message; null: unknown.' }),
          cost: z.string().nullable(),
        }),
      )
      .meta({ description: 'Delivered messages by the category under which the platform charges them.' }),
  })
  .meta({ id: 'DeliveryReport' });
export type DeliveryReport = z.output<typeof reportSchema>;
export type DeliveryReportRow = DeliveryReport['data'][number];
