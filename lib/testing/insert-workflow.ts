import type { Pool } from '#lib/core/db/client.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { newId } from '#lib/core/ids.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';

export interface InsertedWorkflow {
  workspaceId: string;
  workflowId: string;
  token: string;
}

/**
 * A published, active workflow, inserted directly into the tables: for tests below the domain verbs. @param workspace left out:
 * a new one
 */
export async function insertWorkflow(
  pool: Pool,
  graph: WorkflowGraph,
  workspace?: string,
): Promise<InsertedWorkflow> {
  const workspaceId = workspace ?? newId();
  const workflowId = newId();
  const token = newToken();
  const trigger = graph.tasks[0];
  const answersAfterRun = trigger?.settings.response_type === 'after_workflow';
  const nextTaskId = Math.max(...graph.tasks.map((task) => task.id)) + 1;
  if (!workspace)
    await pool.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, 'Test workspace']);
  await pool.query(
    `insert into workflows (id, workspace_id, name, draft, next_task_id, trigger_task_id, published_version, active, answers_after_run)
     values ($1, $2, 'Test workflow', $3, $4, $5, 1, true, $6)`,
    [workflowId, workspaceId, JSON.stringify(graph), nextTaskId, trigger?.id, answersAfterRun],
  );
  await pool.query(
    `insert into workflow_versions (workflow_id, version, name, graph) values ($1, 1, 'Test workflow', $2)`,
    [workflowId, JSON.stringify(graph)],
  );
  await pool.query(
    `insert into webhook_tokens (token_hash, workflow_id, token_encrypted) values ($1, $2, '')`,
    [hashToken(token), workflowId],
  );
  return { workspaceId, workflowId, token };
}
