import {
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { type Action, hasSideEffect, isIdempotent, isSend } from './actions.ts';
import { ActionCall, type ActionResult, type MessagingDeps } from './call.ts';
import { messagingBusiness, type MessagingBusinessSettings } from './definition.ts';
import { sendAndWait } from './delivery/send-and-wait.ts';
import { toTaskError } from './failures.ts';
import { sendMedia } from './send-media.ts';
import { sendTemplate } from './send-template.ts';
import { sendText } from './send-text.ts';
import { getMessageStatus, markAsRead } from './statuses.ts';
import { createTemplate, getTemplates } from './templates.ts';

const RUN: Readonly<Record<Action, (call: ActionCall) => Promise<ActionResult>>> = {
  send_template: sendTemplate,
  create_template: createTemplate,
  get_templates: getTemplates,
  send_text: sendText,
  send_media: sendMedia,
  get_message_status: getMessageStatus,
  mark_as_read: markAsRead,
};

/**
 * A message whose answer was lost, or that a crash interrupted, is flagged and never repeated automatically (docs/engine.md).
 * @param load gives what is needed to run; asked at each execution.
 */
export function createMessagingBusinessExecutor(load: () => Promise<MessagingDeps>): TaskExecutor {
  return executorOf(messagingBusiness, {
    execute: async (context) => execute(context, await load()),
    hasSideEffect: ({ action }) => hasSideEffect(action),
    ifInterrupted: ({ action }) => (isIdempotent(action) ? 'retry' : 'flag'),
  });
}

async function execute(
  context: TaskContext<MessagingBusinessSettings>,
  deps: MessagingDeps,
): Promise<TaskResult> {
  const call = new ActionCall(context, deps);
  const { action } = call;
  try {
    call.connectionId();
    const run = async (): Promise<ActionResult> => {
      const { output, runText } = await RUN[action](call);
      return { output: { action, ...output }, runText };
    };
    return isSend({ action }) ? await sendAndWait(context, call, run) : { kind: 'done', ...(await run()) };
  } catch (error) {
    const failure = toTaskError(error, action, call.findConnectionId());
    if (failure instanceof TaskError) failure.output = { action };
    throw failure;
  }
}
