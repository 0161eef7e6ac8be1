// The spec's rules for the fields; used for publishing and in runs. Isomorphic.
import { MESSAGE_LIMITS } from '#lib/messaging/sending/message-limits.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { validateComponents } from '#lib/messaging/message-templates/schema/validate-template.ts';
import type { MediaSource } from '#lib/messaging/platform/message-parts.ts';
import { fileProblem, isWebAddress } from '#lib/messaging/message-templates/schema/read-slot-value.ts';
import { isMediaId } from '#lib/messaging/platform/ids.ts';
import { explainMismatch } from '#lib/variables/errors.ts';
import { numberSource } from '#lib/variables/to-text.ts';
import type { Reading } from '#lib/core/errors.ts';
import { readJsonText } from './template-settings.ts';

export const MEDIA_TYPES = ['image', 'video', 'document', 'audio'] as const;
export const STATUS_FILTERS = ['APPROVED', 'PENDING', 'REJECTED', 'DISABLED'] as const;

/** Platform's limits, in characters. */
const MAX_CAPTION = 1024;
const MAX_FILENAME = 240;

/** One of a closed set of values. */
export function readChoice<Choice extends string>(
  field: string,
  value: JsonValue | undefined,
  choices: readonly Choice[],
): Reading<Choice> {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return { value: choice };
  return {
    problem: `${explainMismatch(field, value, `a ${field}`)} Use ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`,
  };
}

/** The file of a header: its public URL, or the id of an uploaded one. */
export function readHeaderFile(type: string, value: string): Reading<MediaSource> {
  if (isMediaId(value)) return { value: { id: value } };
  if (isWebAddress(value)) return { value: { link: value } };
  return { problem: `the header_value ${fileProblem(type)}` };
}

/** A JSON array of component objects that the rules of create_template allow. */
export function readComponents(value: JsonValue | undefined): Reading<JsonValue> {
  const list =
    typeof value === 'string' ? readJsonText('template_components', value) : { value: value ?? null };
  if (list.problem !== undefined) return list;
  const [first, ...others] = validateComponents(list.value);
  if (!first) return { value: list.value };
  const more = others.length > 0 ? ` And ${others.length} more.` : '';
  return { problem: `template_${first.path}: ${first.message}${more}` };
}

/** Spec, get_templates: an integer. */
export function readLimit(value: JsonValue | undefined): Reading<number> {
  const source = numberSource(value);
  const limit = Number(source);
  if (source !== undefined && Number.isInteger(limit) && limit >= 1 && limit <= 10_000)
    return { value: limit };
  return { problem: explainMismatch('limit', value, 'a whole number from 1 to 10000') };
}

export function readBoolean(field: string, value: JsonValue | undefined): Reading<boolean> {
  if (value === undefined || value === null || value === '') return { value: false };
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === true || text === 'true') return { value: true };
  if (text === false || text === 'false') return { value: false };
  return { problem: `${explainMismatch(field, value, `a ${field}`)} Use true or false.` };
}

/** Index of a button in a template, from 0. */
export function readButtonIndex(value: JsonValue | undefined): Reading<number> {
  const index = Number(value ?? 0);
  if (Number.isInteger(index) && index >= 0 && index <= 9) return { value: index };
  return { problem: 'The button index must be a whole number from 0 to 9.' };
}

export function readMessageText(text: string): Reading<string> {
  if (text.length <= MESSAGE_LIMITS.text) return { value: text };
  return {
    problem: `The message_text has ${text.length} characters: at most ${MESSAGE_LIMITS.text} are possible.`,
  };
}

/** The problem when neither of them has a file. */
export const NO_MEDIA = 'Enter a media_url, or the media_id of an uploaded file.';

export interface MediaFields {
  mediaType: (typeof MEDIA_TYPES)[number];
  mediaUrl: string;
  mediaId: string;
  caption: string;
  filename: string;
}

export interface MediaProblem {
  field: 'media_url' | 'media_id' | 'caption' | 'filename';
  message: string;
}

/** Spec, send_media: exactly one of media_url and media_id, and the rules of each type. Undefined: no problem. */
export function findMediaProblem({
  mediaType,
  mediaUrl,
  mediaId,
  caption,
  filename,
}: MediaFields): MediaProblem | undefined {
  const at = (field: MediaProblem['field'], message: string): MediaProblem => ({ field, message });
  if (mediaUrl === '' && mediaId === '') return at('media_url', NO_MEDIA);
  if (mediaUrl !== '' && mediaId !== '') {
    const field = isWebAddress(mediaUrl) ? 'media_id' : 'media_url';
    return at(field, 'Enter either media_url or media_id, not both.');
  }
  if (mediaUrl !== '' && !isWebAddress(mediaUrl))
    return at('media_url', 'The media_url must be a full public URL that starts with https:// or http://.');
  if (caption !== '' && mediaType === 'audio')
    return at('caption', 'Audio cannot have a caption: remove it.');
  if (caption.length > MAX_CAPTION)
    return at(
      'caption',
      `The caption has ${caption.length} characters: at most ${MAX_CAPTION} are possible.`,
    );
  if (filename !== '' && mediaType !== 'document')
    return at(
      'filename',
      `Only a document has a filename, not ${mediaType === 'audio' || mediaType === 'image' ? 'an' : 'a'} ${mediaType}: remove it.`,
    );
  if (filename.length > MAX_FILENAME)
    return at('filename', `The filename has more than ${MAX_FILENAME} characters.`);
  return undefined;
}
