import { createLink } from '#lib/approvals/links.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { type TaskContext, TaskError, type TaskExecutor } from '#lib/engine/task-executor.ts';
import { evaluateDuration, renderSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { approvalLink, type ApprovalLinkSettings, findTextProblem, type TextField } from './definition.ts';

/** @param load returns the dependencies; called at each execution. */
export function createApprovalLinkExecutor(
  load: () => Promise<Pick<ProcessRuntime, 'db' | 'baseUrl'>>,
): TaskExecutor {
  return executorOf(approvalLink, {
    async execute(context) {
      const { settings, scope, workspaceId, runId, taskId, now } = context;
      const validMs = evaluateDuration(settings.valid_amount, settings.valid_unit, scope);
      const expiresAt = new Date(now.getTime() + validMs);
      const link = {
        workspaceId,
        runId,
        taskId,
        question: textOf(context, 'question'),
        details: textOf(context, 'details'),
        approveLabel: textOf(context, 'approve_label') || 'Approve',
        rejectLabel: textOf(context, 'reject_label') || 'Reject',
        hasComment: settings.allow_comment,
        expiresAt,
      };
      if (link.question === '') throw new TaskError('invalid_field', 'The question is empty.');
      const { db, baseUrl } = await load();
      const { id, token } = await createLink(db.$client, link);
      const until = expiresAt.toISOString();
      return {
        kind: 'done',
        output: { url: `${baseUrl}/resume/${token}`, link_id: id, expires_at: until },
        runText: `Link created. It expires on ${until}.`,
      };
    },
  });
}

/** @throws TaskError `invalid_field`, `invalid_text` */
function textOf({ settings, scope }: TaskContext<ApprovalLinkSettings>, field: TextField): string {
  const text = renderSetting(settings[field], scope, 'none').trim();
  const problem = findTextProblem(field, text);
  if (problem !== undefined) throw new TaskError('invalid_field', problem);
  return text;
}
