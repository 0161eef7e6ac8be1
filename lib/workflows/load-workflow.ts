import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { schedules } from '#lib/engine/schema/schedules.ts';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import type { Workflow } from './schema.ts';
import type { Binding } from '#lib/core/crypto/secret-box.ts';
import { toCurrentGraph } from '#lib/tasks/current-shape.ts';
import { newestOf, type Page, type PageInput, readCursor, toPage } from '#lib/core/db/paging.ts';

export type WorkflowRow = typeof workflows.$inferSelect;

/** Reads workflows with the current token of their URLs, and when their schedule starts them next. @param where limits it to the workspace */
function selectWorkflows(db: Context['db'] | Transaction, where: SQL | undefined) {
  return db
    .select({
      workflow: workflows,
      tokenEncrypted: webhookTokens.tokenEncrypted,
      nextStartAt: schedules.nextAt,
    })
    .from(workflows)
    .innerJoin(
      webhookTokens,
      and(eq(webhookTokens.workflowId, workflows.id), isNull(webhookTokens.expiresAt)),
    )
    .leftJoin(schedules, eq(schedules.workflowId, workflows.id))
    .where(and(isNull(workflows.deletedAt), where));
}

type Found = Awaited<ReturnType<typeof selectWorkflows>>[number];

/** @throws AppError `not_found` */
export async function loadWorkflow(
  ctx: Context,
  id: string,
  db: Context['db'] | Transaction = ctx.db,
): Promise<Workflow> {
  const isOurs = and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId));
  const [found] = isId(id) ? await selectWorkflows(db, isOurs) : [];
  if (!found) throw noSuchWorkflow();
  return toWorkflow(ctx, found);
}

/** Reads and locks a workflow's row until the transaction ends. @throws AppError `not_found` */
export async function lockWorkflow(ctx: Context, tx: Transaction, id: string): Promise<WorkflowRow> {
  if (!isId(id)) throw noSuchWorkflow();
  const [row] = await tx
    .select()
    .from(workflows)
    .where(and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId), isNull(workflows.deletedAt)))
    .for('update');
  if (!row) throw noSuchWorkflow();
  return { ...row, draft: toCurrentGraph(row.draft) };
}

export const noSuchWorkflow = (): AppError => new AppError('not_found', 'This workflow does not exist.');

/** Binding of an encrypted webhook token. */
export const tokenBinding = (workspaceId: string, workflowId: string): Binding => [
  workspaceId,
  'webhook_token',
  workflowId,
];

/** A workflow for the API and the screens. */
function toWorkflow(
  ctx: Pick<Context, 'secrets' | 'baseUrl'>,
  { workflow: row, tokenEncrypted, nextStartAt }: Found,
): Workflow {
  const token = ctx.secrets.open(tokenEncrypted, tokenBinding(row.workspaceId, row.id));
  return {
    id: row.id,
    name: row.name,
    ...toCurrentGraph(row.draft),
    tags: row.tags,
    published_version: row.publishedVersion,
    active: row.active,
    holds_runs: row.holdsRuns,
    max_concurrent_runs: row.maxConcurrentRuns,
    next_start_at: nextStartAt?.toISOString() ?? null,
    webhook: {
      token,
      production_url: `${ctx.baseUrl}/webhook/${token}`,
      test_url: `${ctx.baseUrl}/webhook-test/${token}`,
    },
    draft_revision: row.draftRevision,
    next_task_id: row.nextTaskId,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** A workflow with its draft. @throws AppError `not_found` */
export async function getWorkflow(ctx: Context, { id }: { id: string }): Promise<Workflow> {
  return loadWorkflow(ctx, id);
}

/** The workspace's workflows, newest first. */
export async function listWorkflows(ctx: Context, { limit, cursor }: PageInput): Promise<Page<Workflow>> {
  const { where, order } = newestOf({
    key: [[workflows.workspaceId, ctx.workspaceId]],
    id: workflows.id,
    below: readCursor(cursor),
  });
  const found = await selectWorkflows(ctx.db, where)
    .orderBy(order)
    .limit(limit + 1);
  const rows = found.map((row) => ({ id: row.workflow.id, ...row }));
  return toPage(rows, limit, (row) => toWorkflow(ctx, row));
}
