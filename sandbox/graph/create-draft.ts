import { GraphError } from '../graph-error.ts';
import {
  EMPTY_MESSAGE,
  type Phone,
  type Rendered,
  type RenderedButton,
  type SentMediaKind,
  type Template,
} from '../model.ts';
import type { World } from '../world.ts';
import { fitTemplate } from './fit-template.ts';
import type { InteractiveInput } from './interactive-schema.ts';
import type { MessageInput } from './message-schema.ts';

export type MediaReference = {
  kind: SentMediaKind;
  link?: string | undefined;
  id?: string | undefined;
  filename?: string | undefined;
};
export type Draft = {
  rendered: Rendered;
  media: MediaReference | null;
  template: Template | null;
  /** The error with which it fails later. */
  late: GraphError | null;
};

/** Maximum age of messages for reactions. */
const OLDEST_REACTED_MS = 30 * 24 * 3_600_000;

/** The content of a message, and its file. Throws GraphError for an invalid one. */
export function createDraft(world: World, phone: Phone, customer: string, input: MessageInput): Draft {
  switch (input.type) {
    case 'text': {
      const link = input.text.preview_url ? /https?:\/\/\S+/.exec(input.text.body)?.[0] : undefined;
      return draftOf({ text: input.text.body, linkPreview: link ?? null });
    }
    case 'template': {
      const { name, language } = input.template;
      const template = findSendableTemplate(world, phone.accountId, name, language.code);
      const { media, ...rendered } = fitTemplate(template, input.template);
      return { ...draftOf(rendered, media), template };
    }
    case 'image':
      return mediaDraft('image', input.image);
    case 'video':
      return mediaDraft('video', input.video);
    case 'document':
      return mediaDraft('document', input.document);
    case 'audio':
      return mediaDraft('audio', input.audio);
    case 'sticker':
      return mediaDraft('sticker', input.sticker);
    case 'interactive':
      return interactiveDraft(input.interactive);
    case 'location': {
      const { name, address, latitude, longitude } = input.location;
      return draftOf({ text: `📍 ${name ?? `${latitude}, ${longitude}`}`, footer: address ?? null });
    }
    case 'contacts':
      return draftOf({ text: input.contacts.map(({ name }) => `👤 ${name.formatted_name}`).join('\n') });
    case 'reaction': {
      const { message_id: id, emoji } = input.reaction;
      const target = world.messages.get(id);
      if (target?.customer !== customer)
        throw new GraphError(131009, `Param reaction['message_id']: "${id}" is not a message of this chat.`);
      const isOld = world.clock.nowMs() - target.acceptedAt > OLDEST_REACTED_MS;
      const late = isOld ? new GraphError(131009, 'The message is older than 30 days.') : null;
      return { ...draftOf({ text: emoji === '' ? 'Took the reaction back' : emoji }), late };
    }
  }
}

const draftOf = (rendered: Partial<Rendered>, media: MediaReference | null = null): Draft => ({
  rendered: { ...EMPTY_MESSAGE, ...rendered, media: null },
  media,
  template: null,
  late: null,
});

function mediaDraft(
  kind: SentMediaKind,
  input: { link?: string; id?: string; caption?: string; filename?: string },
): Draft {
  const { link, id, caption, filename } = input;
  return draftOf({ text: caption ?? '' }, { kind, link, id, filename });
}

function interactiveDraft(input: InteractiveInput): Draft {
  const header = 'header' in input ? input.header : undefined;
  const rendered: Partial<Rendered> = {
    header: header?.type === 'text' ? header.text : null,
    text: input.body.text,
    footer: 'footer' in input ? (input.footer?.text ?? null) : null,
    buttons: buttonsOf(input),
    list: listOf(input),
  };
  if (header?.type === 'image') return draftOf(rendered, { kind: 'image', ...header.image });
  if (header?.type === 'video') return draftOf(rendered, { kind: 'video', ...header.video });
  if (header?.type === 'document') return draftOf(rendered, { kind: 'document', ...header.document });
  return draftOf(rendered);
}

function buttonsOf(input: InteractiveInput): RenderedButton[] {
  const none = { target: '', payload: '' };
  switch (input.type) {
    case 'button':
      return input.action.buttons.map(({ reply: { id, title } }) => ({
        ...none,
        type: 'REPLY',
        text: title,
        payload: id,
      }));
    case 'cta_url': {
      const { display_text: text, url } = input.action.parameters;
      return [{ ...none, type: 'URL', text, target: url }];
    }
    case 'location_request_message':
      return [{ ...none, type: 'ASK', text: 'Send location', payload: 'location' }];
    case 'flow': {
      const { flow_cta: text, flow_token: target = '' } = input.action.parameters;
      return [{ type: 'ASK', text, payload: 'flow', target }];
    }
    case 'request_contact_info':
      return [{ ...none, type: 'ASK', text: 'Share contact', payload: 'contacts' }];
    case 'list':
      return [];
  }
}

function listOf(input: InteractiveInput): Rendered['list'] {
  if (input.type !== 'list') return null;
  const sections = input.action.sections.map(({ title = '', rows }) => ({
    title,
    rows: rows.map(({ description = '', ...row }) => ({ ...row, description })),
  }));
  return { button: input.action.button, sections };
}

/**
 * The template of this name and language if it may be sent. Throws 132001 (unknown, wrong case, other language,
 * or not approved), 132015 (paused) or 132016 (disabled).
 */
function findSendableTemplate(world: World, accountId: string, name: string, language: string): Template {
  const template = findTemplate(world, accountId, name, language);
  if (template?.status === 'PAUSED')
    throw new GraphError(132015, `Template (${name}) is paused due to low quality.`);
  if (template?.status === 'DISABLED') throw new GraphError(132016, `Template (${name}) is disabled.`);
  if (template?.status !== 'APPROVED') {
    throw new GraphError(132001, `template name (${name}) does not exist in ${language}`);
  }
  return template;
}

/** The template of an account with this name and language, or null. */
export function findTemplate(
  world: World,
  accountId: string,
  name: string,
  language: string,
): Template | null {
  for (const template of world.templates.values()) {
    if (template.accountId === accountId && template.name === name && template.language === language)
      return template;
  }
  return null;
}
