// Problems of settings that are known before a run: values of variables are only known in a run.
import type { JsonValue } from '#lib/core/json/value.ts';
import {
  findNameProblem,
  isLanguageCode,
} from '#lib/messaging/message-templates/schema/validate-template.ts';
import type { Problem, Reading } from '#lib/core/errors.ts';
import { isMissing } from '#lib/tasks/setting-values.ts';
import { toText } from '#lib/variables/to-text.ts';
import { type Action, isSend, REQUIRED_FIELDS } from './actions.ts';
import { type DeliverySettings, findDeliveryProblem } from './delivery/settings.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import {
  findMediaProblem,
  NO_MEDIA,
  MEDIA_TYPES,
  readBoolean,
  readButtonIndex,
  readChoice,
  readComponents,
  readLimit,
  readMessageText,
} from './rules.ts';
import { readParameters, readTemplateValues } from './template-settings.ts';

type Draft = Readonly<Record<string, unknown>> & { action: Action } & DeliverySettings;

const MISSING: Readonly<Record<string, string>> = {
  business_account_id: 'Select a business account.',
  phone_number_id: 'Select the sender’s number.',
  recipient: 'Enter a recipient.',
  template_name: 'Enter a template name.',
  template_category: 'Select a category.',
  template_components: 'Enter the template components, with at least a BODY.',
  message_text: 'Enter a text.',
  media_type: 'Select a media type.',
  message_id: 'Enter a message ID.',
};

/** Problems by field. */
export function findProblems(settings: Draft): Problem[] {
  const problems: Problem[] = [];
  const report = (path: string, message: string | undefined): void => {
    if (message !== undefined) problems.push({ path, message });
  };
  if (isMissing(settings['app_connection_id'])) report('app_connection_id', 'No app connection selected');
  for (const field of REQUIRED_FIELDS[settings.action]) {
    if (isMissing(settings[field])) report(field, MISSING[field]);
  }
  for (const [field, check] of Object.entries(CHECKS[settings.action])) {
    const value = settings[field];
    if (!isMissing(value) && !dependsOnVariables(value)) report(field, check(value));
  }
  if (settings.action === 'send_media') reportMedia(settings, report);
  if (isSend(settings)) report('wait_amount', findDeliveryProblem(settings));
  return problems;
}

/** Whether a value is only known in a run; `{{1}}` and the like are the platform's placeholders. */
function dependsOnVariables(value: unknown): boolean {
  if (typeof value === 'string') return value.replace(/\{\{\s*\d+\s*\}\}/g, '').includes('{{');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(dependsOnVariables);
}

type Check = (value: unknown) => string | undefined;

const problemOf =
  (read: (value: JsonValue) => Reading<unknown>): Check =>
  (value) =>
    read(value as JsonValue).problem;

const language: Check = (value) =>
  isLanguageCode(toText(value as JsonValue).trim())
    ? undefined
    : 'Enter a language code such as en_US or de.';
const recipient = problemOf((value) => readRecipient(toText(value).trim()));

const CHECKS: Readonly<Record<Action, Readonly<Record<string, Check>>>> = {
  send_template: {
    recipient,
    template_language: language,
    template_parameters: problemOf(readParameters),
    button_index: problemOf(readButtonIndex),
    template_values: problemOf(readTemplateValues),
  },
  create_template: {
    template_name: (value) => findNameProblem(toText(value as JsonValue).trim()),
    template_language: language,
    template_components: problemOf(readComponents),
  },
  get_templates: { limit: problemOf(readLimit) },
  send_text: {
    recipient,
    message_text: (value) => readMessageText(toText(value as JsonValue)).problem,
    preview_url: problemOf((value) => readBoolean('preview_url', value)),
    fallback_template_language: language,
    fallback_template_parameters: problemOf(readParameters),
  },
  send_media: { recipient },
  get_message_status: {},
  mark_as_read: {},
};

function reportMedia(settings: Draft, report: (path: string, message: string | undefined) => void): void {
  const names = ['media_type', 'media_url', 'media_id', 'caption', 'filename'] as const;
  if (names.some((name) => dependsOnVariables(settings[name]))) {
    const hasNone = isMissing(settings['media_url']) && isMissing(settings['media_id']);
    return report('media_url', hasNone ? NO_MEDIA : undefined);
  }
  const [mediaType, mediaUrl, mediaId, caption, filename] = names.map((name) =>
    toText(settings[name] as JsonValue | undefined).trim(),
  );
  const type = readChoice('media_type', mediaType, MEDIA_TYPES);
  if (type.problem !== undefined) return;
  const fields = {
    mediaType: type.value,
    mediaUrl: mediaUrl ?? '',
    mediaId: mediaId ?? '',
    caption: caption ?? '',
    filename: filename ?? '',
  };
  const problem = findMediaProblem(fields);
  if (problem) report(problem.field, problem.message);
}
