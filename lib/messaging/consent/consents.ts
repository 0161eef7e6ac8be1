import { sql } from 'drizzle-orm';
import { queryRows } from '#lib/core/db/client.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { keyIdOf } from '#lib/identity/key-actor.ts';
import { findKeptStop } from '#lib/messaging/customers/erased-names.ts';
import { maskNumbersIn } from '#lib/messaging/mask.ts';
import type { ConsentPurpose, ConsentState, Evidence } from '#lib/messaging/schema/consent-types.ts';
import { findCustomer, type NamedCustomer } from './find-customer.ts';
import { recordConsents } from './record-consents.ts';
import type { Consent, NewConsent } from './schema.ts';

const MAX_HISTORY = 100;

interface CurrentRow {
  purpose: ConsentPurpose;
  state: ConsentState;
  since: Date;
  evidence: Evidence;
}

interface ChangeRow {
  purpose: ConsentPurpose;
  state: ConsentState;
  at: Date;
  evidence: Evidence;
}

/** The consent of a customer and its history. @throws AppError `not_found` */
export async function getConsent(
  ctx: Pick<Context, 'db' | 'workspaceId' | 'secrets'>,
  { id }: { id: string },
): Promise<Consent> {
  return readConsent(ctx, await findCustomer(ctx, id));
}

/** The same of a customer whose names are known. Where names disagree, a stop counts. */
export async function readConsent(
  ctx: Pick<Context, 'db' | 'workspaceId' | 'secrets'>,
  { customerId, names }: NamedCustomer,
): Promise<Consent> {
  const { db, workspaceId } = ctx;
  const own = sql`workspace_id = ${workspaceId} and name = any(${sql.param(names)}::text[])`;
  const [current, changes, kept] = await Promise.all([
    queryRows<CurrentRow>(
      db,
      sql`select purpose, state, since, evidence from customer_consents where ${own}
        order by state = 'stopped' desc, since desc`,
    ),
    queryRows<ChangeRow>(
      db,
      sql`select purpose, state, at, evidence from (
          select distinct on (change_id) * from consent_changes where ${own} order by change_id, id
        ) changed order by id desc limit ${MAX_HISTORY}`,
    ),
    findKeptStop(ctx, names),
  ]);
  const currentOf = (purpose: ConsentPurpose): Consent['all'] => {
    const row = current.find((each) => each.purpose === purpose);
    return row ? { state: row.state, since: row.since.toISOString(), evidence: row.evidence } : null;
  };
  return {
    customer_id: customerId,
    names,
    marketing: currentOf('marketing'),
    all: currentOf('all'),
    kept_stop: kept && { purpose: kept.purpose, erased_at: kept.erasedAt.toISOString() },
    history: changes.map(({ at, ...change }) => ({ ...change, at: at.toISOString() })),
  };
}

/** The evidence of a change by a member or an API key. */
export const evidenceOfActor = (
  { actor }: Pick<ActorContext, 'actor'>,
  { source = 'api', note = '' }: { source?: 'api' | 'import'; note?: string | undefined } = {},
): Evidence => ({
  kind: keyIdOf(actor) === undefined ? 'user' : source,
  actor: keyIdOf(actor) ?? actor,
  ...(note === '' ? {} : { note }),
});

/** Sets the consent of a customer, who may be unknown. @throws AppError `not_found` */
export async function setConsent(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'secrets' | 'actor'>,
  { id, purpose, state, source, note }: NewConsent & { id: string },
): Promise<Consent> {
  const customer = await findCustomer(ctx, id);
  const { workspaceId } = ctx;
  const evidence = evidenceOfActor(ctx, { source, note });
  await ctx.db.transaction(async (tx) => {
    const { names } = customer;
    await tx.execute(recordConsents([{ workspaceId, names, purpose, state, at: new Date(), evidence }]));
    const name = `${maskNumbersIn(names[0] ?? '')}: ${describeConsent(purpose, state)}`;
    await recordAudit(ctx, tx, 'customer.consent_changed', { id: customer.customerId ?? undefined, name });
  });
  return readConsent(ctx, customer);
}

const describeConsent = (purpose: ConsentPurpose, state: ConsentState): string =>
  `${purpose === 'marketing' ? 'marketing' : 'all messages'} ${state}`;

/** Records that the platform refused a marketing message because the customer stopped them. */
export async function recordOptOut(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { recipient, runId, taskId }: { recipient: string; runId: string; taskId: number },
): Promise<void> {
  const evidence = { kind: 'platform_error' as const, run_id: runId, task_id: taskId };
  const names = [recipient];
  const stop = { purpose: 'marketing' as const, state: 'stopped' as const, at: new Date(), evidence };
  await db.execute(recordConsents([{ workspaceId, names, ...stop }]));
}
