import {
  type RetryAdvice,
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { DownloadError, withDownloadedMedia } from '#lib/messaging/media/download-media.ts';
import { fileNameOf } from '#lib/messaging/media/file-name.ts';
import { newMediaKey } from '#lib/messaging/media/media-store.ts';
import { openMediaStore } from '#lib/messaging/media/open-media-store.ts';
import type { MessageChoice } from '#lib/messaging/platform/interactive-message.ts';
import type { HeaderValue, MessageExtras } from '#lib/messaging/platform/message-parts.ts';
import type { OutgoingMessage } from '#lib/messaging/platform/messages.ts';
import type { MessagingRuntime } from '#lib/messaging/runtime.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { ActionCall, type ActionResult, type MessagingDeps } from '#lib/tasks/messaging-business/call.ts';
import { sendAndWait } from '#lib/tasks/messaging-business/delivery/send-and-wait.ts';
import {
  type ActionTraits,
  assertWindow,
  PHONE_UNKNOWN,
  toFailure,
} from '#lib/tasks/messaging-business/failures.ts';
import { accept } from '#lib/tasks/messaging-business/fields.ts';
import { readHeaderFile } from '#lib/tasks/messaging-business/rules.ts';
import { executeSend } from '#lib/tasks/messaging-business/suppressed.ts';
import { markMessage } from '#lib/tasks/messaging-business/statuses.ts';
import { type Action, isSend, isTracked, type SendAction } from './actions.ts';
import { messagingBusinessMore, type MoreSettings } from './definition.ts';
import { findMessageProblems } from './rules.ts';
import {
  type ButtonValue,
  groupRows,
  type MoreValues,
  readValues,
  type RowValue,
  splitList,
} from './values.ts';

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

/** @param load returns the dependencies; called at each execution. */
export function createMoreExecutor(load: () => Promise<MessagingDeps & MediaDeps>): TaskExecutor {
  return executorOf(messagingBusinessMore, {
    execute: async (context) => {
      const deps = await load();
      return executeSend(context, deps.hot, { send: (task) => execute(task, deps) });
    },
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

/** By the rules of the draft, with the values of variables. @throws TaskError `missing_field`, `invalid_field` */
function assertValid(action: Action, values: MoreValues): void {
  const [problem] = findMessageProblems(action, values, () => true);
  if (problem)
    throw new TaskError(
      problem.isMissing ? 'missing_field' : 'invalid_field',
      `${problem.path.join('.')}: ${problem.message}`,
    );
}

type MediaDeps = Pick<MessagingRuntime, 'media' | 'secrets' | 'baseUrl'>;

const DAY_MS = 24 * 3_600_000;

/** Stores a file from a customer. @returns an expiring link to it */
async function getMedia(
  call: Pick<ActionCall<MoreSettings>, 'withToken' | 'now'>,
  deps: MediaDeps,
  { mediaId, filename: given }: { mediaId: string; filename: string },
): Promise<ActionResult> {
  const store = await openMediaStore(deps.media, deps);
  const expiresAt = new Date(call.now.getTime() + deps.media.linkDays * DAY_MS);
  const stored = await call
    .withToken((access) =>
      withDownloadedMedia(access, mediaId, async ({ path, bytes, mimeType, sha256 }) => {
        const filename = fileNameOf(given, mediaId, mimeType);
        const file = { key: newMediaKey(call.now), filename, mimeType };
        await store.put(file, { path, bytes, sha256 }).catch(failToStore);
        return { file, bytes, sha256 };
      }),
    )
    .catch(toTaskError);
  const { file, bytes, sha256 } = stored;
  return {
    output: {
      url: await store.link(file, expiresAt),
      expires_at: expiresAt.toISOString(),
      mime_type: file.mimeType,
      size: bytes,
      sha256,
      filename: file.filename,
    },
    runText: 'Media downloaded.',
  };
}

function toTaskError(error: unknown): never {
  if (!(error instanceof DownloadError)) throw error;
  const mayHelp = error.kind === 'unreachable' || error.kind === 'damaged';
  const retry: RetryAdvice = { kind: mayHelp ? 'backoff' : 'never' };
  throw new TaskError('media_failure', `Media failure: ${error.message}`, { retry, cause: error });
}

function failToStore(cause: unknown): never {
  throw new TaskError(
    'storage_failed',
    'The file could not be stored. Check the media settings of the server and its storage.',
    { retry: { kind: 'backoff' }, cause },
  );
}

/** The message of an action whose values have no problems. */
function toMessage(action: SendAction, values: MoreValues): OutgoingMessage {
  const quoted = values.reply_to.trim();
  const extras: MessageExtras = quoted === '' ? {} : { replyTo: quoted };
  const texts = { text: values.message_text, footer: values.footer.trim(), ...extras };
  switch (action) {
    case 'send_buttons':
      return { type: 'buttons', ...texts, header: readHeader(values), buttons: values.buttons.map(toChoice) };
    case 'send_list': {
      const sections = groupRows(values.rows).map(({ title, rows }) => ({ title, rows: rows.map(toChoice) }));
      const listButton = values.list_button.trim();
      return { type: 'list', ...texts, header: readHeader(values), listButton, sections };
    }
    case 'send_cta_url': {
      const { button_text: label, button_url: url } = values;
      return { type: 'cta_url', ...texts, header: readHeader(values), label: label.trim(), url: url.trim() };
    }
    case 'send_reply':
      return { type: 'text', body: values.message_text, previewUrl: false, ...extras };
    case 'request_location':
      return { type: 'location_request', ...texts, footer: '' };
    case 'send_location': {
      const [latitude, longitude] = [Number(values.latitude), Number(values.longitude)];
      const [name, address] = [values.location_name.trim(), values.location_address.trim()];
      return { type: 'location', latitude, longitude, name, address, ...extras };
    }
    case 'send_contacts': {
      const contacts = values.contacts.map(({ name, phones, emails, organization }) => ({
        name,
        phones: splitList(phones),
        emails: splitList(emails),
        organization,
      }));
      return { type: 'contacts', contacts, ...extras };
    }
    case 'send_sticker': {
      const [link, id] = [values.media_url.trim(), values.media_id.trim()];
      return { type: 'sticker', source: link === '' ? { id } : { link }, ...extras };
    }
    case 'send_reaction':
      return { type: 'reaction', messageId: values.message_id.trim(), emoji: values.emoji.trim() };
  }
}

const toChoice = ({ title, id, ...rest }: ButtonValue | RowValue): MessageChoice => ({
  id: id || title,
  title,
  description: 'description' in rest ? rest.description : '',
});

function readHeader({ header_type: type, header_value: value }: MoreValues): HeaderValue | undefined {
  if (type === 'text') return { type, text: value.trim() };
  if (type !== 'image' && type !== 'video' && type !== 'document') return undefined;
  return { type, source: accept(readHeaderFile(type, value.trim())) };
}
