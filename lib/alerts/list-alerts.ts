import { inArray } from 'drizzle-orm';
import * as z from 'zod';
import type { Context } from '#lib/identity/context.ts';
import { newestOf, type Page, type PageInput, readCursor, toPage } from '#lib/core/db/paging.ts';
import { mails } from '#lib/mail/schema.ts';
import { type Alert, CHANNELS, type Delivery } from './alert-types.ts';
import { ALERT_KINDS } from './kinds.ts';
import { alertDeliveries, alerts } from './schema.ts';

/** An alert as the API shows it: `Alert` of alert-types.ts. */
export const alertSchema = z.strictObject({
  id: z.uuid(),
  kind: z.enum(ALERT_KINDS),
  title: z.string(),
  paragraphs: z.array(z.string()).meta({ description: 'What happened, where, and what to do.' }),
  link: z.strictObject({ label: z.string(), path: z.string() }),
  items: z
    .array(z.strictObject({ text: z.string(), path: z.string() }))
    .meta({ description: 'For a digest: its alerts. Each is in the list, too.' }),
  workflow_id: z.uuid().nullable(),
  is_test: z.boolean(),
  created_at: z.string(),
  deliveries: z.array(
    z.strictObject({
      id: z.uuid(),
      channel: z.enum(CHANNELS),
      target: z.string(),
      state: z.enum(['waiting', 'held', 'delivered', 'failed']).meta({
        description: '`held`: the recipient got many alerts just now, and gets it with the next digest.',
      }),
      in_digest: z.boolean().meta({ description: 'It was sent in a digest.' }),
      problem: z.string().nullable(),
      attempts: z.int(),
      delivered_at: z.string().nullable(),
    }),
  ),
});

/** The workspace's alerts, newest first, with the outcome of each delivery. */
export async function listAlerts(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { limit, cursor }: PageInput,
): Promise<Page<Alert>> {
  const { where, order } = newestOf({
    key: [[alerts.workspaceId, ctx.workspaceId]],
    id: alerts.id,
    below: readCursor(cursor),
  });
  const rows = await ctx.db
    .select()
    .from(alerts)
    .where(where)
    .orderBy(order)
    .limit(limit + 1);
  const deliveries = await listDeliveries(
    ctx.db,
    rows.slice(0, limit).map(({ id }) => id),
  );
  return toPage(rows, limit, ({ id, kind, workflowId, content, createdAt }) => ({
    id,
    kind,
    title: content.title,
    paragraphs: content.paragraphs,
    link: content.link,
    items: (content.items ?? []).map(({ text, path }) => ({ text, path })),
    workflow_id: workflowId,
    is_test: content.isTest === true,
    created_at: createdAt.toISOString(),
    deliveries: deliveries.get(id) ?? [],
  }));
}

type DeliveryRow = typeof alertDeliveries.$inferSelect;
type MailRow = Pick<typeof mails.$inferSelect, 'sentAt' | 'failedAt' | 'attempts' | 'problem'>;

/** By alert, in the order in which they were queued. */
async function listDeliveries(
  db: Context['db'],
  alertIds: readonly string[],
): Promise<Map<string, Delivery[]>> {
  if (alertIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(alertDeliveries)
    .where(inArray(alertDeliveries.alertId, [...alertIds]))
    .orderBy(alertDeliveries.id);
  const digests = await listDigestsOf(db, rows);
  const mailIds = [...rows, ...digests.values()].flatMap(({ mailId }) => mailId ?? []);
  const { id, sentAt, failedAt, attempts, problem } = mails;
  const mailed =
    mailIds.length === 0
      ? []
      : await db.select({ id, sentAt, failedAt, attempts, problem }).from(mails).where(inArray(id, mailIds));
  const mailOf = new Map(mailed.map((mail) => [mail.id, mail]));
  const byAlert = new Map<string, Delivery[]>();
  for (const row of rows) {
    const sent = (row.digestDeliveryId && digests.get(row.digestDeliveryId)) || row;
    const mail = sent.mailId === null ? undefined : mailOf.get(sent.mailId);
    byAlert.set(row.alertId, [...(byAlert.get(row.alertId) ?? []), toDelivery(row, mail ?? sent)]);
  }
  return byAlert;
}

/** The deliveries of digests in which some were sent, by id. */
async function listDigestsOf(
  db: Context['db'],
  rows: readonly DeliveryRow[],
): Promise<Map<string, DeliveryRow>> {
  const ids = [...new Set(rows.flatMap(({ digestDeliveryId }) => digestDeliveryId ?? []))];
  if (ids.length === 0) return new Map();
  const digests = await db.select().from(alertDeliveries).where(inArray(alertDeliveries.id, ids));
  return new Map(digests.map((digest) => [digest.id, digest]));
}

/** @param sent the source of the outcome: its mail, itself, or the digest it was sent in */
function toDelivery(row: DeliveryRow, { sentAt, failedAt, attempts, problem }: MailRow): Delivery {
  return {
    id: row.id,
    channel: row.channel,
    target: row.target,
    state: row.gatheredFor ? 'held' : sentAt ? 'delivered' : failedAt ? 'failed' : 'waiting',
    in_digest: row.digestDeliveryId !== null,
    problem,
    attempts,
    delivered_at: sentAt?.toISOString() ?? null,
  };
}
