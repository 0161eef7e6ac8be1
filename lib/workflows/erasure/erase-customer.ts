// Erasing everything that is stored of a customer (docs/decisions/erasure.md): the preview, the request, the receipts.
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import { newestOf, type Page, type PageInput, readCursor, toPage } from '#lib/core/db/paging.ts';
import { newId } from '#lib/core/ids.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { readBody } from '#lib/events/event-row.ts';
import { nameOfActor, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { ensureErasureKey, hashName } from '#lib/messaging/customers/erased-names.ts';
import { findCustomer, type NamedCustomer } from '#lib/messaging/consent/find-customer.ts';
import { type ErasedCounts, erasedNames, erasures } from '#lib/messaging/schema/erasures.ts';
import { cancelWaiting, COUNT_OWN } from './own-rows.ts';
import { Spellings, type Subject } from './spellings.ts';

/** A receipt, which says nothing of who was erased. */
export interface Erasure {
  id: string;
  requested_at: string;
  /** The member or API key, as the audit log names them. */
  requested_by: string;
  /** Null: a worker is at it. */
  finished_at: string | null;
  /** Open runs that are for others, too, and are waited for. */
  waiting_runs: number;
  /** Rows by their kind, so far. */
  counts: ErasedCounts;
}

const toErasure = (row: typeof erasures.$inferSelect): Erasure => ({
  id: row.id,
  requested_at: row.requestedAt.toISOString(),
  requested_by: row.actorName,
  finished_at: row.finishedAt?.toISOString() ?? null,
  waiting_runs: row.waitsFor.length,
  counts: row.counts,
});

const subjectBinding = (workspaceId: string, id: string) => [workspaceId, 'erasure', id] as const;

/** Who is erased, until it has finished. */
export const readSubject = (
  secrets: SecretBox,
  { id, workspaceId, subject }: { id: string; workspaceId: string; subject: string },
): Subject => JSON.parse(secrets.open(subject, subjectBinding(workspaceId, id))) as Subject;

/** The names, as they are stored until the erasure has finished. */
export const sealSubject = (
  secrets: SecretBox,
  { id, workspaceId }: { id: string; workspaceId: string },
  subject: Subject,
): string => secrets.seal(JSON.stringify(subject), subjectBinding(workspaceId, id));

const OTHERS: readonly (readonly [kind: string, statement: string])[] = [
  ['alerts', 'select count(*)::int as rows from alerts where workspace_id = $1 and content::text ~ $2'],
  ['mails', `select count(*)::int as rows from mails where $1::uuid is not null and subject ~ $2`],
  [
    'audit_entries',
    `select count(*)::int as rows from audit_entries where workspace_id = $1 and coalesce(target_name, '') ~ $2`,
  ],
  [
    'approvals',
    `select count(*)::int as rows from approval_links
     where workspace_id = $1 and concat_ws(' ', question, details, comment, body) ~ $2`,
  ],
  [
    'list_rows',
    `select count(*)::int as rows from send_lists l join send_list_rows r on r.list_id = l.id
     where l.workspace_id = $1 and (coalesce(r.recipient, '') ~ $2 or r.data::text ~ $2)`,
  ],
];

/** A workflow whose settings name the customer: an erasure leaves it as it is. */
export interface NamingWorkflow {
  id: string;
  name: string;
  /** The tasks, in the draft or the published version, by their names. */
  tasks: string[];
}

export interface ErasurePreview {
  counts: ErasedCounts;
  workflows: NamingWorkflow[];
}

/**
 * What an erasure of this customer would remove, by kind, and the workflows that would still name them. Payloads that contain the
 * number in another way are found by the erasure itself. @throws AppError `not_found`
 */
export async function previewErasure(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { id }: { id: string },
): Promise<ErasurePreview> {
  const { names } = await findCustomer({ db, workspaceId }, id);
  const pool = db.$client;
  const [own] = (await pool.query<Record<string, number>>(COUNT_OWN, [workspaceId, names])).rows;
  const spellings = new Spellings({ names, words: [] });
  const others = await Promise.all(
    OTHERS.map(async ([kind, statement]): Promise<[string, number]> => [
      kind,
      (await pool.query<{ rows: number }>(statement, [workspaceId, spellings.sql])).rows[0]?.rows ?? 0,
    ]),
  );
  return {
    counts: { ...own, ...Object.fromEntries(others) },
    workflows: await findNamingWorkflows({ db, workspaceId }, spellings),
  };
}

/** The draft and the published version of each workflow that may name the customer. */
const NAMING = `
select w.id, w.name, g.graph from workflows w
left join workflow_versions v on v.workflow_id = w.id and v.version = w.published_version
cross join lateral (values (w.draft), (v.graph)) as g(graph)
where w.workspace_id = $1 and w.deleted_at is null and g.graph::text ~ $2 order by w.name, w.id`;

async function findNamingWorkflows(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  spellings: Spellings,
): Promise<NamingWorkflow[]> {
  const { rows } = await db.$client.query<{ id: string; name: string; graph: WorkflowGraph }>(NAMING, [
    workspaceId,
    spellings.sql,
  ]);
  return [...Map.groupBy(rows, (row) => row.id).values()].flatMap((found) => {
    const naming = found
      .flatMap(({ graph }) => graph.tasks)
      .filter(({ name, settings }) => spellings.isIn(JSON.stringify({ name, settings })));
    const tasks = [...new Set(naming.map(({ name }) => spellings.clean(name, false)))];
    return found[0] && tasks.length > 0 ? [{ id: found[0].id, name: found[0].name, tasks }] : [];
  });
}

/**
 * Erases a customer: runs that wait for them are cancelled and no run that exists sends to them from now on; a worker
 * removes the rest. Until it has finished, the same receipt is returned again. @throws AppError `not_found`
 */
export async function eraseCustomer(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'secrets' | 'actor'>,
  { id }: { id: string },
): Promise<Erasure> {
  const customer = await findCustomer(ctx, id);
  const words = await readWords(ctx, customer.names);
  return ctx.db.transaction(async (tx) => {
    const key = await ensureErasureKey(tx, ctx.secrets, ctx.workspaceId);
    const hashes = customer.names.map((name) => hashName(key, name));
    return (
      (await findUnfinished(tx, ctx.workspaceId, hashes)) ??
      requestErasure(ctx, tx, { customer, words, hashes })
    );
  });
}

async function requestErasure(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'secrets' | 'actor'>,
  tx: Transaction,
  { customer: { names }, words, hashes }: { customer: NamedCustomer; words: string[]; hashes: Buffer[] },
): Promise<Erasure> {
  const { workspaceId, secrets, actor } = ctx;
  const erasureId = newId();
  const cancelled = await cancelWaiting(tx, { workspaceId, names });
  await tx.execute(dropConfirmations(workspaceId, names));
  const rows = await tx.execute(dropListRows(workspaceId, names));
  const [row] = await tx
    .insert(erasures)
    .values({
      id: erasureId,
      workspaceId,
      requestedAt: new Date(),
      actorId: actor,
      actorName: await nameOfActor(actor, tx),
      counts: {
        ...(cancelled.length === 0 ? {} : { runs_cancelled: cancelled.length }),
        ...(rows.rowCount ? { list_rows: rows.rowCount } : {}),
      },
      subject: sealSubject(secrets, { id: erasureId, workspaceId }, { names, words }),
    })
    .returning();
  if (!row) throw new Error('An erasure was stored and is not there.');
  await tx.execute(remember({ workspaceId, erasureId, names, hashes }));
  await recordAudit(ctx, tx, 'customer.erased', { id: erasureId });
  return toErasure(row);
}

/** One that is not recorded as being sent is not sent any more. */
const dropConfirmations = (workspaceId: string, names: readonly string[]): SQL => sql`
delete from consent_confirmations
where workspace_id = ${workspaceId} and customer = any(${sql.param(names)}::text[]) and status = 'queued'`;

/** A row that was not started is not started any more. */
const dropListRows = (workspaceId: string, names: readonly string[]): SQL => sql`
delete from send_list_rows where state = 'waiting' and recipient = any(${sql.param(names)}::text[])
  and list_id in (select id from send_lists where workspace_id = ${workspaceId})`;

/** Where names disagree, a stop counts for all of them; one of an earlier erasure stays unless the customer consented since. */
const remember = ({
  workspaceId,
  erasureId,
  names,
  hashes,
}: {
  workspaceId: string;
  erasureId: string;
  names: readonly string[];
  hashes: readonly Buffer[];
}): SQL => sql`
with own as (
  select purpose, state, since from customer_consents
  where workspace_id = ${workspaceId} and name = any(${sql.param(names)}::text[])
), stop as (
  select min(purpose) as purpose from own where state = 'stopped'
), given as (
  select coalesce(max(since), '-infinity') as since from own where state = 'given'
)
insert into erased_names as known (workspace_id, name_hash, erasure_id, erased_at, stopped)
select ${workspaceId}, hash, ${erasureId}, clock_timestamp(), stop.purpose
from unnest(${sql.param(hashes)}::bytea[]) as names(hash), stop order by hash
on conflict (workspace_id, name_hash) do update set erasure_id = excluded.erasure_id, erased_at = excluded.erased_at,
  stopped = coalesce(excluded.stopped, case when known.erased_at > (select since from given) then known.stopped end)`;

async function findUnfinished(
  tx: Transaction,
  workspaceId: string,
  hashes: readonly Buffer[],
): Promise<Erasure | undefined> {
  const [found] = await tx
    .select({ erasure: erasures })
    .from(erasedNames)
    .innerJoin(erasures, eq(erasures.id, erasedNames.erasureId))
    .where(
      and(
        eq(erasedNames.workspaceId, workspaceId),
        inArray(erasedNames.nameHash, [...hashes]),
        isNull(erasures.finishedAt),
      ),
    )
    .limit(1);
  return found && toErasure(found.erasure);
}

/** Messages of which the customer's name is read. */
const MAX_READ = 500;
const PROFILES = `
select distinct profile_name as name from customer_names
where workspace_id = $1 and name = any($2::text[]) and profile_name is not null`;
const BODIES = `
select e.body from received_messages m join events e on e.id = m.event_id
where m.workspace_id = $1 and m.customer = any($2::text[]) and e.body is not null limit ${MAX_READ}`;

/** What the customer called themselves. */
export async function readWords(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  names: readonly string[],
): Promise<string[]> {
  const values = [workspaceId, names];
  const profiles = await db.$client.query<{ name: string }>(PROFILES, values);
  const events = await db.$client.query<{ body: Buffer }>(BODIES, values);
  const written = events.rows.flatMap(({ body }) => {
    const fields = readBody(body).body;
    const name =
      typeof fields === 'object' && fields !== null ? (fields as { from_name?: unknown }).from_name : null;
    return typeof name === 'string' ? [name] : [];
  });
  return [...new Set([...profiles.rows.map(({ name }) => name), ...written])];
}

/** The receipts of the workspace, newest first. */
export async function listErasures(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  { limit, cursor }: PageInput,
): Promise<Page<Erasure>> {
  const { where, order } = newestOf({
    key: [[erasures.workspaceId, workspaceId]],
    id: erasures.id,
    below: readCursor(cursor),
  });
  const rows = await db
    .select()
    .from(erasures)
    .where(where)
    .orderBy(order)
    .limit(limit + 1);
  return toPage(rows, limit, toErasure);
}
