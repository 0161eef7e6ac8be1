import {
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { ActionCall, type ActionResult, type MessagingDeps } from '../call.ts';
import { type ActionTraits, PHONE_UNKNOWN, toFailure } from '../failures.ts';
import { markMessage } from '../statuses.ts';
import { assertWindow } from '../window.ts';
import { sendAndWait } from '../delivery/send-and-wait.ts';
import { type Action, isSend, isTracked, type SendAction } from './actions.ts';
import { messagingBusinessMore, type MoreSettings } from './definition.ts';
import { getMedia, type MediaDeps } from './get-media.ts';
import { findMessageProblems } from './rules.ts';
import { toMessage } from './to-message.ts';
import { type MoreValues, readValues } from './values.ts';

const RUN_TEXTS: Readonly<Record<SendAction, string>> = {
  send_buttons: 'Buttons sent successfully.',
  send_list: 'List sent successfully.',
  send_cta_url: 'URL button sent successfully.',
  send_reply: 'Reply sent successfully.',
  request_location: 'Location requested successfully.',
  send_location: 'Location sent successfully.',
  send_contacts: 'Contacts sent successfully.',
  send_sticker: 'Sticker sent successfully.',
  send_reaction: 'Reaction sent successfully.',
};

const MEDIA_UNKNOWN = {
  words: 'Media not found',
  hint: 'Files that customers send can be downloaded for 7 days. Check the media ID and the connection.',
};

const traitsOf = (action: Action): ActionTraits => ({
  action,
  isIdempotent: !isSend(action),
  unknownObject: action === 'get_media' ? MEDIA_UNKNOWN : PHONE_UNKNOWN,
});

/** @param load gives what is needed to run; asked at each execution. */
export function createMoreExecutor(load: () => Promise<MessagingDeps & MediaDeps>): TaskExecutor {
  return executorOf(messagingBusinessMore, {
    execute: async (context) => execute(context, await load()),
    hasSideEffect: ({ action }) => action !== 'get_media',
    ifInterrupted: ({ action }) => (isSend(action) ? 'flag' : 'retry'),
  });
}

async function execute(
  context: TaskContext<MoreSettings>,
  deps: MessagingDeps & MediaDeps,
): Promise<TaskResult> {
  const { action } = context.settings;
  const call = new ActionCall(context, deps);
  try {
    call.connectionId();
    const act = async (): Promise<ActionResult> => {
      const { output, runText } = await run(call, context, deps);
      return { output: { action, ...output }, runText };
    };
    return isTracked({ action }) ? await sendAndWait(context, call, act) : { kind: 'done', ...(await act()) };
  } catch (error) {
    const failure = toFailure(error, { ...traitsOf(action), connectionId: call.findConnectionId() });
    if (failure instanceof TaskError) failure.output = { action };
    throw failure;
  }
}

async function run(
  call: ActionCall<MoreSettings>,
  { settings, scope, now }: TaskContext<MoreSettings>,
  deps: MediaDeps,
): Promise<ActionResult> {
  const { action } = settings;
  const values = readValues(settings, (setting) => evaluateSetting(setting, scope));
  assertValid(action, values);
  if (action === 'get_media')
    return getMedia(call, deps, { mediaId: values.media_id.trim(), filename: call.fields.text('filename') });
  if (!isSend(action)) {
    const output = await markMessage(call, { isTyping: true });
    return { output, runText: 'Message marked as read, and typing shown.' };
  }
  const { phoneNumberId, recipient, note } = call.target();
  await assertWindow(call.ctx, { phoneNumberId, recipient }, now);
  const sent = await call.send(toMessage(action, values), { phoneNumberId, recipient });
  return { output: { ...sent, recipient, ...note }, runText: RUN_TEXTS[action] };
}

/** By the rules of the draft, with what variables gave. @throws TaskError `missing_field`, `invalid_field` */
function assertValid(action: Action, values: MoreValues): void {
  const [problem] = findMessageProblems(action, values, () => true);
  if (problem)
    throw new TaskError(
      problem.isMissing ? 'missing_field' : 'invalid_field',
      `${problem.path.join('.')}: ${problem.message}`,
    );
}
