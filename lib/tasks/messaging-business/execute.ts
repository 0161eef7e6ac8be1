import {
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { CATEGORIES } from '#lib/messaging/message-templates/schema/components.ts';
import {
  findNameProblem,
  isLanguageCode,
} from '#lib/messaging/message-templates/schema/validate-template.ts';
import { createTemplate as createAtPlatform, listTemplates } from '#lib/messaging/platform/templates.ts';
import { codeTitle } from '#lib/messaging/schema/number-words.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { type Action, hasSideEffect, isIdempotent, isSend } from './actions.ts';
import { ActionCall, type ActionResult, type MessagingDeps } from './call.ts';
import { messagingBusiness, type MessagingBusinessSettings } from './definition.ts';
import { sendAndWait } from './delivery/send-and-wait.ts';
import { toTaskError } from './failures.ts';
import { accept } from './fields.ts';
import { readChoice, readComponents, readLimit, STATUS_FILTERS } from './rules.ts';
import { sendMedia, sendTemplate, sendText } from './send-messages.ts';
import { executeSend } from './suppressed.ts';
import { getMessageStatus, markAsRead } from './statuses.ts';

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
 * A message whose response was lost, or that a crash interrupted, gets an unknown outcome and is never repeated automatically
 * (docs/engine.md). @param load returns the dependencies; called at each execution.
 */
export function createMessagingBusinessExecutor(load: () => Promise<MessagingDeps>): TaskExecutor {
  return executorOf(messagingBusiness, {
    execute: async (context) => {
      const deps = await load();
      return executeSend(context, deps.hot, { send: (task) => execute(task, deps) });
    },
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

const DEFAULT_LIMIT = 100;

/** Spec, create_template: name and components are checked before the call. */
async function createTemplate(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  const accountId = fields.required('business_account_id');
  const name = fields.required('template_name');
  const nameProblem = findNameProblem(name);
  if (nameProblem !== undefined)
    throw new TaskError('invalid_field', `The template_name is "${name.slice(0, 100)}". ${nameProblem}`);
  const category = accept(readChoice('template_category', fields.required('template_category'), CATEGORIES));
  const language = fields.text('template_language') || 'en_US';
  if (!isLanguageCode(language))
    throw new TaskError(
      'invalid_field',
      `The template_language is "${language.slice(0, 50)}": enter a code such as en_US or de.`,
    );
  const components = accept(readComponents(fields.components('template_components')));
  const effect = {
    shown: () => ({ kind: 'change', text: `Create the message template ${name} (${language}).` }),
    instead: () => ({ id: 'captured', status: 'PENDING', category }),
  };
  const created = await call.change(effect, async (access) => {
    const made = await createAtPlatform(access, accountId, { name, language, category, components });
    await call.keepRequestedCategory(made.id, category);
    return made;
  });
  const output = { template_id: created.id, template_name: name, status: created.status };
  const runText = 'Template created successfully.';
  if (created.category === category) return { output, runText };
  const note = `You asked for ${codeTitle(category)}, the platform made it ${codeTitle(created.category)}.`;
  return { output: { ...output, category: created.category, note }, runText: `${runText} ${note}` };
}

/** Spec, get_templates: pages are followed until the limit; the filter is applied after retrieval. */
async function getTemplates(call: ActionCall): Promise<ActionResult> {
  const { fields } = call;
  const accountId = fields.required('business_account_id');
  const limit = accept(readLimit(fields.text('limit') === '' ? DEFAULT_LIMIT : fields.value('limit')));
  const asked = fields.text('status_filter');
  const status = asked === '' ? undefined : accept(readChoice('status_filter', asked, STATUS_FILTERS));
  const isWanted = (template: { status: string }): boolean =>
    status === undefined || template.status === status;
  const templates = await call.withToken((access) => listTemplates(access, accountId, { limit, isWanted }));
  const output = { templates: templates.map((template) => ({ ...template })), count: templates.length };
  return { output, runText: 'Successfully retrieved templates.' };
}
