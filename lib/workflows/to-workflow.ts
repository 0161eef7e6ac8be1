import type { Binding } from '#lib/core/crypto/secret-box.ts';
import type { workflows } from '#lib/engine/schema/workflows.ts';
import type { Context } from '#lib/identity/context.ts';
import type { Workflow } from './schema.ts';

/** Binding of an encrypted webhook token. */
export const tokenBinding = (workspaceId: string, workflowId: string): Binding => [
  workspaceId,
  'webhook_token',
  workflowId,
];

/** A workflow for the API and the screens. */
export function toWorkflow(
  ctx: Pick<Context, 'secrets' | 'baseUrl'>,
  row: typeof workflows.$inferSelect,
  tokenEncrypted: string,
): Workflow {
  const token = ctx.secrets.open(tokenEncrypted, tokenBinding(row.workspaceId, row.id));
  return {
    id: row.id,
    name: row.name,
    ...row.draft,
    tags: row.tags,
    published_version: row.publishedVersion,
    active: row.active,
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
