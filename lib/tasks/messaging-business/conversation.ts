// The messages of sending actions, for conversations.
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import type { ReadConversation, SaidMessage, SpokenTaskRun } from '#lib/tasks/conversation.ts';
import { toText } from '#lib/variables/to-text.ts';
import { readParameters } from './template-settings.ts';

export const readSentConversation: ReadConversation = ({ settings, output, at }) => {
  if (!isJsonObject(output)) return undefined;
  const [customer, messageId] = [toText(output['recipient']), toText(output['message_id'])];
  if (customer === '' || messageId === '') return undefined;
  const said = { by: 'business' as const, at, choices: [], id: messageId };
  return { customer, messages: [{ ...said, ...contentOf(settings, output) }] };
};

function contentOf(
  settings: SpokenTaskRun['settings'],
  output: JsonObject,
): Pick<SaidMessage, 'text' | 'kind' | 'template'> {
  const text = (name: string): string => toText(settings[name]);
  const template = toText(output['template_name']);
  const isFallback = toText(output['sent']) === 'template';
  if (isFallback) return { text: parametersOf(settings['fallback_template_parameters']), kind: '', template };
  if (template !== '') return { text: parametersOf(settings['template_parameters']), kind: '', template };
  const kind = toText(output['media_type']);
  return kind === ''
    ? { text: text('message_text'), kind: '', template: '' }
    : { text: text('caption'), kind, template: '' };
}

const parametersOf = (value: JsonValue | undefined): string =>
  Object.values(readParameters(value).value ?? []).join(' · ');
