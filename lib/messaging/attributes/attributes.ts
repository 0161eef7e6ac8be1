// What workflows and members remember of customers: typed values, each with its date and who wrote it.
import { type SQL, sql } from 'drizzle-orm';
import { databaseOn, inTransaction, type Queryable, queryRows } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { evidenceOfActor } from '#lib/messaging/consent/consents.ts';
import { findCustomer } from '#lib/messaging/consent/find-customer.ts';
import { wakeQuietOf } from '#lib/messaging/consent/hold-waits.ts';
import { numbersToRemember, rememberNumbers } from '#lib/messaging/customers/customer-names.ts';
import { SINCE_SLACK } from '#lib/messaging/customers/customer-rows.ts';
import { maskNumbersIn } from '#lib/messaging/mask.ts';
import { ZONE_ATTRIBUTE } from '#lib/messaging/customers/customer-zone.ts';
import { isUserId } from '#lib/messaging/platform/ids.ts';
import {
  type AttributeType,
  readAttribute,
  toAttributeValue,
} from '#lib/messaging/schema/attribute-types.ts';
import type { Evidence } from '#lib/messaging/schema/consent-types.ts';
import type { CustomerAttribute, CustomerAttributes, NewAttributes } from './schema.ts';

export interface AttributeWrite {
  attribute: string;
  type: AttributeType;
  /** As `readAttribute` gives it; null: it is removed. */
  value: string | null;
}

export interface AttributesOf {
  workspaceId: string;
  /** All known names of the customer. */
  names: readonly string[];
  writes: readonly AttributeWrite[];
  evidence: Evidence;
}

/** After the lock of the row, so that the times of the writes of an attribute are in their order. */
const NOW = sql`date_trunc('milliseconds', clock_timestamp())`;

/** Whether the same task wrote the same before: it is executed again after a crash. */
const IS_REPEATED = sql`coalesce(known.evidence->>'run_id' = excluded.evidence->>'run_id'
  and known.evidence->>'task_id' = excluded.evidence->>'task_id' and known.value = excluded.value and known.type = excluded.type, false)`;

/**
 * SQL that stores attributes of a customer, under the first of the names, and each write in the log. Of several at the same time the
 * last one wins, and is the last one in the log.
 */
const writeAttributes = ({ workspaceId, names, writes, evidence }: AttributesOf): SQL => sql`
with asked as materialized (
  select *, ${stringifyJson({ ...evidence })}::json as evidence
  from unnest(${sql.param(writes.map((each) => each.attribute))}::text[], ${sql.param(writes.map(({ type }) => type))}::text[],
    ${sql.param(writes.map(({ value }) => value))}::text[]) as a(attribute, type, value)
), due as materialized (
  select c.workspace_id, c.name, c.attribute from customer_attributes c
  join asked a on a.attribute = c.attribute and a.value is null
  where c.workspace_id = ${workspaceId} and c.name = any(${sql.param(names)}::text[])
  order by c.attribute, c.name for update of c
), gone as (
  delete from customer_attributes c using due d
  where c.workspace_id = d.workspace_id and c.name = d.name and c.attribute = d.attribute
  returning c.attribute, c.type
), stored as (
  insert into customer_attributes as known (workspace_id, name, attribute, type, value, at, evidence)
  select ${workspaceId}, ${names[0]}, attribute, type, value, ${NOW}, evidence from asked
  where value is not null order by attribute
  on conflict (workspace_id, name, attribute) do update
    set type = excluded.type, value = excluded.value, at = ${NOW}, evidence = excluded.evidence
    where not ${IS_REPEATED}
  returning attribute, type, value, at
)
insert into attribute_changes (workspace_id, name, attribute, type, value, at, evidence)
select ${workspaceId}, ${names[0]}, w.attribute, w.type, w.value, w.at, a.evidence from (
  select attribute, type, value, at from stored
  union all select attribute, min(type), null, ${NOW} from gone group by attribute
) w join asked a on a.attribute = w.attribute order by w.attribute`;

const REMEMBER = rememberNumbers(1);

/**
 * Stores attributes of a customer, who may be new: then they are a customer from now on. Messages that wait for the end of quiet hours
 * look at a new time zone.
 * @param client of one transaction
 */
export async function rememberAttributes(
  client: Queryable,
  { names, workspaceId, ...write }: AttributesOf,
): Promise<void> {
  const db = databaseOn(client);
  const numbers = names.filter((name) => !isUserId(name)).map((number) => ({ workspaceId, number }));
  if (numbers.length > 0) await client.query(REMEMBER, numbersToRemember(numbers));
  await db.execute(writeAttributes({ names, workspaceId, ...write }));
  if (write.writes.some(({ attribute }) => attribute === ZONE_ATTRIBUTE))
    await wakeQuietOf(client, workspaceId, names);
}

interface StoredAttribute {
  attribute: string;
  type: AttributeType;
  value: string;
  at: Date;
  evidence: Evidence;
}

/** What was remembered of a customer, by name. Of an earlier owner of a number nothing is returned. @param names all known names */
export async function findAttributes(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  names: readonly string[],
): Promise<CustomerAttribute[]> {
  const rows = await queryRows<StoredAttribute>(
    db,
    sql`select distinct on (a.attribute) a.attribute, a.type, a.value, a.at, a.evidence from customer_attributes a
      left join customer_names k on k.workspace_id = a.workspace_id and k.name = a.name
      where a.workspace_id = ${workspaceId} and a.name = any(${sql.param(names)}::text[])
        and (k.name is null or a.at >= k.learned_at - interval '${sql.raw(SINCE_SLACK)}')
      order by a.attribute, a.at desc, a.name`,
  );
  return rows.map(({ attribute: name, type, value, at, evidence }) => ({
    name,
    type,
    value: toAttributeValue(type, value) as CustomerAttribute['value'],
    at: at.toISOString(),
    evidence,
  }));
}

/** Sets and removes attributes of a customer, who may be unknown. @throws AppError `not_found`, `invalid_request` */
export async function setAttributes(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { id, attributes }: NewAttributes & { id: string },
): Promise<CustomerAttributes> {
  const customer = await findCustomer(ctx, id);
  const { customerId, names } = customer;
  const { workspaceId } = ctx;
  const writes = readWrites(attributes);
  const evidence = evidenceOfActor(ctx);
  await inTransaction(ctx.db.$client, async (client) => {
    await rememberAttributes(client, { workspaceId, names, writes, evidence });
    const what = writes.map(({ attribute }) => attribute).join(', ');
    const name = `${maskNumbersIn(names[0] ?? '')}: ${what}`;
    await recordAudit(ctx, databaseOn(client), 'customer.attributes_changed', {
      id: customerId ?? undefined,
      name,
    });
  });
  // Someone unknown is a customer from now on.
  const known = customerId === null ? await findCustomer(ctx, id) : customer;
  return {
    customer_id: known.customerId,
    names: known.names,
    attributes: await findAttributes(ctx, known.names),
  };
}

/** Of several with one name the last counts. @throws AppError `invalid_request` */
function readWrites(attributes: NewAttributes['attributes']): AttributeWrite[] {
  const problems: { path: string; message: string }[] = [];
  const writes = attributes.map(({ name: attribute, type, value: given }, index): AttributeWrite => {
    const { value = null, problem } = readAttribute(type, given);
    if (problem !== undefined) problems.push({ path: `attributes[${index}].value`, message: problem });
    return { attribute, type, value };
  });
  if (problems.length > 0) throw new AppError('invalid_request', 'An attribute is not valid.', { problems });
  return [...new Map(writes.map((write) => [write.attribute, write])).values()];
}
