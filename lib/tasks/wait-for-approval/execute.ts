// The link's row is authoritative, the signal only wakes the run: a decision before the wait is found there, and at the
// deadline the link is closed, so that a late decision is not confirmed.
import { approvalKey, type Decided } from '#lib/approvals/approval-link.ts';
import { beginWait, endWait } from '#lib/approvals/links.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { isId } from '#lib/core/ids.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import {
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { evaluateDuration, evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { explainMismatch } from '#lib/variables/errors.ts';
import { waitForApproval, type WaitForApprovalSettings } from './definition.ts';
import { APPROVED, NO_DECISION, REJECTED } from './exits.ts';

type Wait = TaskContext<WaitForApprovalSettings>;

/** @param load returns the dependencies; called at each execution. */
export function createWaitForApprovalExecutor(load: () => Promise<Pick<ProcessRuntime, 'db'>>): TaskExecutor {
  return executorOf(waitForApproval, {
    async execute(context) {
      const { db } = await load();
      return context.resumed
        ? resume(context, context.resumed.memory, db.$client)
        : begin(context, db.$client);
    },
  });
}

async function begin(context: Wait, pool: Pool): Promise<TaskResult> {
  const { settings, scope, workspaceId, runId, now } = context;
  const given = evaluateSetting(settings.link_id, scope);
  const linkId = typeof given === 'string' ? given.trim() : '';
  if (!isId(linkId)) throw unknownLink(given);
  const endMs = now.getTime() + evaluateDuration(settings.wait_amount, settings.wait_unit, scope);
  context.listen({ key: approvalKey(linkId), rule: 'all' });
  await context.recordWait();
  const link = await beginWait(pool, { linkId, workspaceId, runId, now });
  if (!link) throw unknownLink(given);
  if (link.decided) return decided(link.decided);
  const until = new Date(Math.min(endMs, link.expiresAt.getTime()));
  const runText = `Waiting for a decision until ${until.toISOString()}.`;
  return { kind: 'listen', until, memory: { linkId }, output: NOTHING, runText };
}

async function resume({ workspaceId, now }: Wait, memory: JsonValue, pool: Pool): Promise<TaskResult> {
  const { linkId } = memory as { linkId: string };
  const link = await endWait(pool, { linkId, workspaceId, now });
  if (link?.decided) return decided(link.decided);
  return { kind: 'done', branch: NO_DECISION.name, output: NOTHING, runText: 'No decision in time.' };
}

const NOTHING: JsonObject = { decision: '', comment: '', body: null, decided_at: '' };

function decided({ decision, comment, body, decidedAt }: Decided): TaskResult {
  const branch = decision === 'approved' ? APPROVED : REJECTED;
  const runText = comment === '' ? `${branch.label}.` : `${branch.label}: ${comment}`;
  const output = { decision, comment, body: parseJson(body), decided_at: decidedAt.toISOString() };
  return { kind: 'done', branch: branch.name, output, runText };
}

function unknownLink(given: JsonValue | undefined): TaskError {
  const message = `${explainMismatch('link ID', given, 'the ID of an approval link')} Enter a variable such as {{task_2_link_id}}.`;
  return new TaskError('unknown_link', message);
}
