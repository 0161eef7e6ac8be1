import { and, eq, sql, type SQL } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { checkMapping } from './plan-columns.ts';
import { getList, type ListRecord, noSuchList } from './read-list.ts';
import type { List, ListMapping, ListState } from './schema.ts';
import { sendLists } from './tables.ts';

type Change = Partial<Record<keyof ListRecord, unknown>>;
const NOW = sql`now()`;

/**
 * Changes what its columns are; its rows are checked again. Only before it is started.
 * @throws AppError `not_found`; `invalid_request`; `conflict`
 */
export const mapList = (
  ctx: ActorContext,
  { id, mapping }: { id: string; mapping: ListMapping },
): Promise<List> =>
  changeList(ctx, { id, action: 'list.mapped' }, (list) => {
    expectState(list, ['checking', 'ready'], 'was started, so that its columns stay as they are');
    checkMapping(mapping, list.columns);
    return { mapping, state: 'checking', checkedLine: 0, startsChecked: false, workAt: NOW };
  });

/** Starts a run for each row that is not skipped, at the rate of the number. @throws AppError `not_found`; `conflict` */
export const startList = (ctx: ActorContext, { id }: { id: string }): Promise<List> =>
  changeList(ctx, { id, action: 'list.started' }, async (list, tx) => {
    if (list.state === 'running') return undefined;
    expectState(list, ['checking', 'ready'], 'was started before');
    await assertActive(tx, list);
    if (list.state === 'checking') return { startsChecked: true };
    return { state: 'running', startedAt: NOW, pacedAt: NOW, workAt: NOW, problem: null };
  });

/** Starts no more rows, within a second; runs in progress continue. @throws AppError `not_found`; `conflict` */
export const pauseList = (ctx: ActorContext, { id }: { id: string }): Promise<List> =>
  changeList(ctx, { id, action: 'list.paused' }, (list) => {
    if (list.state === 'paused') return undefined;
    expectState(list, ['running'], `is not running`);
    return { state: 'paused', problem: null, workAt: NOW };
  });

/** Continues a paused list. @throws AppError `not_found`; `conflict` */
export const resumeList = (ctx: ActorContext, { id }: { id: string }): Promise<List> =>
  changeList(ctx, { id, action: 'list.resumed' }, async (list, tx) => {
    if (list.state === 'running') return undefined;
    expectState(list, ['paused'], 'is not paused');
    await assertActive(tx, list);
    return { state: 'running', problem: null, pacedAt: NOW, workAt: NOW };
  });

/** Leaves out every row that was not started; runs in progress continue. @throws AppError `not_found`; `conflict` */
export const stopList = (ctx: ActorContext, { id }: { id: string }): Promise<List> =>
  changeList(ctx, { id, action: 'list.stopped' }, async (list, tx) => {
    if (list.state === 'stopped') return undefined;
    expectState(list, ['running', 'paused'], 'is not running');
    await tx.execute(
      sql`update send_list_rows set state = case when run_id is null then 'skipped' else 'failed' end,
            skipped = case when run_id is null then 'stopped' end
          where list_id = ${id} and state = 'waiting'`,
    );
    return { state: 'stopped', problem: null, endedAt: NOW, workAt: NOW };
  });

export interface RetryListInput {
  id: string;
  /** Also rows of which it is not known whether a message was sent. */
  repeat_unknown?: boolean;
}

/**
 * Lets the failed runs of a list continue from what stopped them, at its rate.
 * @throws AppError `not_found`; `conflict` where none failed, or only those with an unknown outcome
 */
export const retryList = (
  ctx: ActorContext,
  { id, repeat_unknown: repeatsUnknown = false }: RetryListInput,
): Promise<List> =>
  changeList(ctx, { id, action: 'list.retried' }, async (list, tx) => {
    expectState(list, ['running', 'paused', 'stopped', 'finished'], 'was not started');
    await assertActive(tx, list);
    const isKnown = sql`not exists (select from task_runs t where t.run_id = r.run_id and t.status = 'outcome_unknown')`;
    const { rowCount } = await tx.execute(
      sql`update send_list_rows r set state = 'waiting'
          where r.list_id = ${id} and r.state = 'failed' and r.run_id is not null and (${repeatsUnknown} or ${isKnown})`,
    );
    if (!rowCount) throw await nothingToRetry(tx, id);
    return list.state === 'paused'
      ? {}
      : { state: 'running', endedAt: null, problem: null, pacedAt: NOW, workAt: NOW };
  });

async function nothingToRetry(tx: Transaction, id: string): Promise<AppError> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`select count(*)::int as count from send_list_rows where list_id = ${id} and state = 'failed' and run_id is not null`,
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return new AppError('conflict', 'No row of the list failed.');
  return new AppError(
    'conflict',
    `It is not known whether the messages of ${count === 1 ? 'the failed row' : `the ${count} failed rows`} were sent. Retry with the rows of unknown outcome (repeat_unknown) to send them, perhaps again.`,
  );
}

/** Deletes a list with its rows; its runs stay. @throws AppError `not_found`; `conflict` while it is running */
export async function deleteList(ctx: ActorContext, { id }: { id: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const list = await lockList(ctx, tx, id);
    if (list.state === 'running')
      throw new AppError('conflict', 'The list is running: stop it before you delete it.');
    await tx.delete(sendLists).where(eq(sendLists.id, id));
    await recordAudit(ctx, tx, 'list.deleted', { id, name: list.name });
  });
}

/** @param change undefined: it is so already, and nothing is recorded */
async function changeList(
  ctx: ActorContext,
  { id, action }: { id: string; action: string },
  change: (list: ListRecord, tx: Transaction) => Change | undefined | Promise<Change | undefined>,
): Promise<List> {
  await ctx.db.transaction(async (tx) => {
    const list = await lockList(ctx, tx, id);
    const set = await change(list, tx);
    if (set === undefined) return;
    if (Object.keys(set).length > 0)
      await tx
        .update(sendLists)
        .set(set as Record<string, SQL>)
        .where(eq(sendLists.id, id));
    await recordAudit(ctx, tx, action, { id, name: list.name });
  });
  return getList(ctx, { id });
}

async function lockList(ctx: ActorContext, tx: Transaction, id: string): Promise<ListRecord> {
  if (!isId(id)) throw noSuchList();
  const [list] = await tx
    .select()
    .from(sendLists)
    .where(and(eq(sendLists.id, id), eq(sendLists.workspaceId, ctx.workspaceId)))
    .for('update');
  if (!list) throw noSuchList();
  return list;
}

function expectState({ state }: ListRecord, states: readonly ListState[], problem: string): void {
  if (!states.includes(state)) throw new AppError('conflict', `The list ${problem}.`);
}

/** @throws AppError `conflict` */
async function assertActive(tx: Transaction, { workflowId }: ListRecord): Promise<void> {
  const { rows } = await tx.execute<{ published: boolean; runs: boolean }>(
    sql`select published_version is not null as published, active or holds_runs as runs from workflows
        where id = ${workflowId} and deleted_at is null`,
  );
  const [workflow] = rows;
  if (!workflow) throw new AppError('conflict', 'The workflow of the list was deleted. Restore it first.');
  if (!workflow.published)
    throw new AppError('conflict', 'The workflow is not published: publish it before you start a list.');
  if (!workflow.runs)
    throw new AppError('conflict', 'The workflow is paused: resume it before you start a list.');
}
