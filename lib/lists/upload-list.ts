import { createHash } from 'node:crypto';
import { databaseOn, inTransaction, type Queryable } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId, newId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { noSuchWorkflow } from '#lib/workflows/load-workflow.ts';
import { planColumns } from './plan-columns.ts';
import { type ReadList, type ReadRow, toColumns } from './read-csv.ts';
import { getList } from './read-list.ts';
import { type List, MAX_LIST_ROWS } from './schema.ts';

const ROWS_A_STATEMENT = 1000;

export interface NewList {
  workflowId: string;
  name: string;
  /** The column of the number; left out: it is recognized. */
  recipient?: string | undefined;
  /** Of numbers without a country code; null: every number has one. */
  defaultCountry?: string | null;
  /** Starts it as soon as its rows are checked. */
  start?: boolean;
  /** Another list of rows that were uploaded before. */
  again?: boolean;
}

/** The rows were uploaded before. */
class KnownListError extends Error {
  readonly id: string;

  constructor(id: string) {
    super('The rows were uploaded before.');
    this.id = id;
  }
}

/**
 * Stores a list, whose rows are checked next. Rows that were uploaded for the workflow before are not stored again: the list that
 * is there is returned.
 * @throws AppError `not_found`; `invalid_request` for a list without rows, for too many, and for an unknown column; `conflict` for one
 *   that has to start although its workflow is not published
 */
export async function createList(
  ctx: ActorContext,
  { columns, rows, close }: ReadList,
  input: NewList,
): Promise<{ list: List; isNew: boolean }> {
  const id = newId();
  try {
    await inTransaction(ctx.db.$client, (client) => store(ctx, client, { id, columns, rows, input }));
  } catch (error) {
    const known = error instanceof KnownListError ? error.id : await findSame(ctx, input, error);
    if (known === undefined) throw error;
    return { list: await getList(ctx, { id: known }), isNew: false };
  } finally {
    await close();
  }
  return { list: await getList(ctx, { id }), isNew: true };
}

/** Rows of a JSON array: the columns are the fields of all of its objects. @throws AppError `invalid_request` */
export function readObjects(objects: readonly Readonly<Record<string, unknown>>[]): ReadList {
  const columns = toColumns([...new Set(objects.flatMap((object) => Object.keys(object)))]);
  async function* rows(): AsyncGenerator<ReadRow> {
    for (const [index, object] of objects.entries())
      yield { line: index + 1, values: columns.map((column) => object[column] ?? null) };
  }
  return { columns, rows: rows(), close: () => Promise.resolve() };
}

async function store(
  ctx: ActorContext,
  client: Queryable,
  { id, columns, rows, input }: Omit<ReadList, 'close'> & { id: string; input: NewList },
): Promise<void> {
  const { workflowId, name, recipient, defaultCountry = null, start = false, again = false } = input;
  const { rows: found } = isId(workflowId)
    ? await client.query<{ published_version: number | null }>(
        'select published_version from workflows where id = $1 and workspace_id = $2 and deleted_at is null for key share',
        [workflowId, ctx.workspaceId],
      )
    : { rows: [] };
  if (!found[0]) throw noSuchWorkflow();
  if (start && found[0].published_version === null)
    throw new AppError('conflict', 'The workflow is not published: publish it before you start a list.');
  await client.query(
    `insert into send_lists (id, workspace_id, workflow_id, name, columns, mapping, state, row_count, starts_checked, created_at)
     values ($1, $2, $3, $4, $5, '{}', 'checking', 0, $6, now())`,
    [id, ctx.workspaceId, workflowId, name, JSON.stringify(columns), start],
  );
  const hash = createHash('sha256').update(JSON.stringify(columns));
  const samples: unknown[][] = [];
  let count = 0;
  for await (const batch of inBatches(rows)) {
    count += batch.length;
    if (count > MAX_LIST_ROWS)
      throw new AppError(
        'invalid_request',
        `The list has more than ${MAX_LIST_ROWS.toLocaleString('en-US')} rows. Divide it.`,
      );
    if (samples.length === 0) samples.push(...batch.slice(0, 50).map(({ values }) => values));
    const data = batch.map(({ values }) => JSON.stringify(values));
    for (const text of data) hash.update(`\n${text}`);
    await client.query({
      name: 'insert_list_rows',
      text: `insert into send_list_rows (list_id, line, data, state)
             select $1, line, data::json, 'waiting' from unnest($2::int[], $3::text[]) as t(line, data)`,
      values: [id, batch.map(({ line }) => line), data],
    });
  }
  if (count === 0)
    throw new AppError('invalid_request', 'The list has no rows below the names of its columns.');
  const mapping = planColumns(columns, samples, { recipient, defaultCountry });
  const digest = hash.digest();
  const known = again ? undefined : await findByContent(client, workflowId, digest);
  if (known !== undefined) throw new KnownListError(known);
  await client.query(
    'update send_lists set row_count = $2, mapping = $3, content_hash = $4, work_at = now() where id = $1',
    [id, count, JSON.stringify(mapping), again ? null : digest],
  );
  await recordAudit(ctx, databaseOn(client), 'list.uploaded', { id, name });
}

async function* inBatches(rows: AsyncIterable<ReadRow>): AsyncGenerator<ReadRow[]> {
  let batch: ReadRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < ROWS_A_STATEMENT) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function findByContent(
  client: Queryable,
  workflowId: string,
  digest: Buffer,
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    'select id from send_lists where workflow_id = $1 and content_hash = $2',
    [workflowId, digest],
  );
  return rows[0]?.id;
}

const UNIQUE_VIOLATION = '23505';

/** The list that another request stored at the same time. */
async function findSame(
  ctx: ActorContext,
  { workflowId }: NewList,
  error: unknown,
): Promise<string | undefined> {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code !== UNIQUE_VIOLATION || constraint !== 'send_lists_content') return undefined;
  const { rows } = await ctx.db.$client.query<{ id: string }>(
    'select id from send_lists where workflow_id = $1 and workspace_id = $2 order by id desc limit 1',
    [workflowId, ctx.workspaceId],
  );
  return rows[0]?.id;
}
