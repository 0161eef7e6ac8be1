// Holds: customers whom a person takes care of. While one lasts, no workflow sends to the customer (sending/find-blocks.ts).
import { sql, type SQL } from 'drizzle-orm';
import { databaseOn, inTransaction, type Queryable, queryRows } from '#lib/core/db/client.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { maskNumbersIn } from '#lib/messaging/mask.ts';
import type { Evidence, HoldDeadlines, HoldSends } from '#lib/messaging/schema/consent-types.ts';
import { evidenceOfActor } from './consents.ts';
import { findCustomer, type NamedCustomer } from './find-customer.ts';
import { countWaiting, endHolds, wakeWaiting } from './hold-waits.ts';
import { ALL_NAMES } from './record-consents.ts';
import type { CustomerHold, NewHold } from './schema.ts';

export interface HoldChange {
  workspaceId: string;
  /** Names of one customer, at least one; the hold is stored under all that are known. */
  names: readonly string[];
  since: Date;
  /** Null: until it is released. */
  until: Date | null;
  reason: string;
  evidence: Evidence;
  /** Left out: as the workspace's settings say. */
  sends?: HoldSends | undefined;
  deadlines?: HoldDeadlines | undefined;
}

/** Not the same hold, longer or shorter: what the former suspended of deadlines is kept, and the new one suspends from its begin. */
const IS_ANOTHER = sql.raw('known.until <= now() or known.deadlines <> excluded.deadlines');

/**
 * SQL that puts customers on hold. Of several for one customer the longest counts.
 * @param onlyExtends a hold that lasts longer stays as it is
 */
export function recordHolds(
  holds: readonly HoldChange[],
  { onlyExtends = false }: { onlyExtends?: boolean } = {},
): SQL {
  const column = (type: string, of: (hold: HoldChange, place: number) => unknown): SQL =>
    sql`${sql.param(holds.map(of))}::${sql.raw(type)}[]`;
  const names = holds.flatMap((hold, place) =>
    hold.names.map((name) => ({ place, workspaceId: hold.workspaceId, name })),
  );
  const isShorter = sql`known.until is null or (known.until > now() and known.until >= excluded.until)`;
  return sql`
with hold as (
  select * from unnest(${column('int', (_, place) => place)}, ${column('timestamptz', ({ since }) => since.toISOString())},
    ${column('timestamptz', ({ until }) => until?.toISOString() ?? null)}, ${column('text', ({ reason }) => reason)},
    ${column('text', ({ evidence }) => stringifyJson({ ...evidence }))}, ${column('text', ({ sends }) => sends ?? null)},
    ${column('text', ({ deadlines }) => deadlines ?? null)}) as h(place, since, until, reason, evidence, sends, deadlines)
), asked as (
  select * from unnest(${sql.param(names.map(({ place }) => place))}::int[],
    ${sql.param(names.map(({ workspaceId }) => workspaceId))}::uuid[],
    ${sql.param(names.map(({ name }) => name))}::text[]) as a(place, workspace_id, name)
), wanted as (
  select distinct on (n.workspace_id, n.name) n.workspace_id, n.name, h.since, h.until, h.reason, h.evidence,
    coalesce(h.sends, s.hold_sends, 'suppress') as sends, coalesce(h.deadlines, s.hold_deadlines, 'run') as deadlines
  from (${ALL_NAMES}) n join hold h on h.place = n.place
  left join consent_settings s on s.workspace_id = n.workspace_id
  order by n.workspace_id, n.name, h.until desc nulls first
)
insert into customer_holds as known (workspace_id, name, since, until, reason, evidence, sends, deadlines)
select workspace_id, name, since, until, reason, evidence::json, sends, deadlines from wanted order by workspace_id, name
on conflict (workspace_id, name) do update
  set since = case when ${IS_ANOTHER} then excluded.since else known.since end,
    until = excluded.until, reason = excluded.reason, evidence = excluded.evidence,
    sends = excluded.sends, deadlines = excluded.deadlines,
    pauses = case when (${IS_ANOTHER}) and known.deadlines = 'stand_still'
      then known.pauses || jsonb_build_array(jsonb_build_array(known.since, least(known.until, excluded.since))) else known.pauses end
  where ${onlyExtends ? sql`not (${isShorter})` : sql`true`}
returning name`;
}

/**
 * Puts a customer on hold, or replaces the hold that there is; runs that wait for the end of that one look at this one.
 * @param client of one transaction
 */
export async function putOnHold(
  client: Queryable,
  hold: HoldChange,
  options?: Parameters<typeof recordHolds>[1],
): Promise<void> {
  const held = await queryRows<{ name: string }>({ $client: client }, recordHolds([hold], options));
  await wakeWaiting(
    client,
    hold.workspaceId,
    held.map(({ name }) => name),
  );
}

interface HoldRow {
  since: Date;
  until: Date | null;
  reason: string;
  evidence: Evidence;
  sends: HoldSends;
  deadlines: HoldDeadlines;
}

/** The hold of a customer. @throws AppError `not_found` */
export async function getHold(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { id }: { id: string },
): Promise<CustomerHold> {
  return readHold(ctx, await findCustomer(ctx, id));
}

/** The same of a customer whose names are known. */
export async function readHold(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { customerId, names }: NamedCustomer,
): Promise<CustomerHold> {
  const [row] = await queryRows<HoldRow>(
    db,
    sql`select since, until, reason, evidence, sends, deadlines from customer_holds
      where workspace_id = ${workspaceId} and name = any(${sql.param(names)}::text[])
        and (until is null or until > now())
      order by until desc nulls first limit 1`,
  );
  const hold = row && {
    ...row,
    since: row.since.toISOString(),
    until: row.until?.toISOString() ?? null,
    waiting_runs: await countWaiting({ db, workspaceId }, names),
  };
  return { customer_id: customerId, names, hold: hold ?? null };
}

const HOUR_MS = 3_600_000;

/** Puts a customer on hold, who may be unknown; replaces a hold that there is. @throws AppError `not_found` */
export async function setHold(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { id, hours, reason, sends, deadlines }: NewHold & { id: string },
): Promise<CustomerHold> {
  const customer = await findCustomer(ctx, id);
  const { workspaceId } = ctx;
  const since = new Date();
  const until = hours === null ? null : new Date(since.getTime() + hours * HOUR_MS);
  const { names } = customer;
  const hold = { workspaceId, names, since, until, reason, evidence: evidenceOfActor(ctx), sends, deadlines };
  await inTransaction(ctx.db.$client, async (client) => {
    await putOnHold(client, hold);
    await recordAudit(ctx, databaseOn(client), 'customer.held', toTarget(customer));
  });
  return readHold(ctx, customer);
}

/**
 * Ends the hold of a customer, if there is one: workflows send to them again, and runs that wait for it continue.
 * @throws AppError `not_found`
 */
export async function releaseHold(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { id }: { id: string },
): Promise<void> {
  const customer = await findCustomer(ctx, id);
  await inTransaction(ctx.db.$client, async (client) => {
    await endHolds(client, ctx.workspaceId, customer.names);
    await recordAudit(ctx, databaseOn(client), 'customer.released', toTarget(customer));
  });
}

const toTarget = ({ customerId, names }: NamedCustomer): { id?: string; name: string } => ({
  ...(customerId === null ? {} : { id: customerId }),
  name: maskNumbersIn(names[0] ?? ''),
});
