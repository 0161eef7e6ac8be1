import * as z from 'zod';
import type { TemplatePreview } from '#lib/messaging/message-templates/schema/preview-template.ts';

// Messages with more than a text, from executors (OutgoingMessage), for the phone's preview.

const HEADER_FORMATS = { text: 'TEXT', image: 'IMAGE', video: 'VIDEO', document: 'DOCUMENT' } as const;

const texts = {
  text: z.string(),
  footer: z.string(),
  header: z
    .object({ type: z.enum(['text', 'image', 'video', 'document']), text: z.string().default('') })
    .optional(),
};

const richMessages = [
  z.object({ type: z.literal('buttons'), ...texts, buttons: z.array(z.object({ title: z.string() })) }),
  z.object({ type: z.literal('list'), ...texts, listButton: z.string() }),
  z.object({ type: z.literal('cta_url'), ...texts, label: z.string(), url: z.string() }),
  z.object({ type: z.literal('location_request'), ...texts }),
  z.object({
    type: z.literal('location'),
    latitude: z.number(),
    longitude: z.number(),
    name: z.string(),
    address: z.string(),
  }),
  z.object({
    type: z.literal('contacts'),
    contacts: z.array(z.object({ name: z.string(), phones: z.array(z.string()) })),
  }),
  z.object({ type: z.literal('sticker') }),
  z.object({ type: z.literal('reaction'), emoji: z.string() }),
] as const;

type RichMessage = z.output<(typeof richMessages)[number]>;
type Button = TemplatePreview['buttons'][number];

const NOTHING: TemplatePreview = { header: null, body: '', footer: null, buttons: [] };

function previewMessage(message: RichMessage): TemplatePreview {
  switch (message.type) {
    case 'location': {
      const { name, address, latitude, longitude } = message;
      return { ...NOTHING, body: `📍 ${name || `${latitude}, ${longitude}`}`, footer: address || null };
    }
    case 'contacts': {
      const lines = message.contacts.map(({ name, phones }) => ['👤', name, ...phones].join(' '));
      return { ...NOTHING, body: lines.join('\n') };
    }
    case 'sticker':
      return { ...NOTHING, header: { format: 'IMAGE', text: '' }, body: 'Sticker' };
    case 'reaction':
      return { ...NOTHING, body: message.emoji || 'Removes the reaction' };
    default: {
      const { text, footer, header } = message;
      return {
        header: header ? { format: HEADER_FORMATS[header.type], text: header.text } : null,
        body: text,
        footer: footer || null,
        buttons: buttonsOf(message),
      };
    }
  }
}

type Interactive = Extract<RichMessage, { footer: string }>;

function buttonsOf(message: Interactive): Button[] {
  const reply = (text: string): Button => ({ type: 'QUICK_REPLY', text, target: null });
  switch (message.type) {
    case 'buttons':
      return message.buttons.map(({ title }) => reply(title));
    case 'list':
      return [reply(message.listButton)];
    case 'cta_url':
      return [{ type: 'URL', text: message.label, target: message.url }];
    case 'location_request':
      return [reply('Send location')];
  }
}

const media = z.object({
  type: z.literal('media'),
  mediaType: z.enum(['image', 'video', 'document', 'audio']),
  caption: z.string().optional(),
  filename: z.string().optional(),
});
const filled = z.array(z.object({ slot: z.object({ key: z.string() }), value: z.string() }));
const template = z.object({
  type: z.literal('template'),
  name: z.string(),
  language: z.string(),
  values: filled.default([]),
  /** Of version 0.2.0, in place of `values`. */
  parameters: z.array(z.string()).default([]),
  header: z.object({ type: z.string(), text: z.string().optional() }).optional(),
  button: z.object({ index: z.number().default(0), text: z.string() }).optional(),
});
const text = z.object({ type: z.literal('text'), body: z.string() });

const schema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    connection_id: z.string(),
    account_id: z.string(),
    recipient: z.string(),
    message: z.discriminatedUnion('type', [text, media, template, ...richMessages]),
  }),
  z.object({
    kind: z.literal('request'),
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  z.object({ kind: z.literal('change'), text: z.string() }),
]);

type PlainMessage = z.output<typeof text> | z.output<typeof media> | z.output<typeof template>;
type Message = PlainMessage | Parameters<typeof previewMessage>[0];

export interface CapturedMessage {
  kind: 'message';
  recipient: string;
  /** Query for the message template's preview. */
  template: { name: string; query: string } | undefined;
  /** As far as known without the message template. */
  preview: TemplatePreview;
}

export type CapturedEffect =
  | CapturedMessage
  | { kind: 'request'; text: string }
  | { kind: 'change'; text: string }
  | { kind: 'other' };

/** A captured effect for display. @param json of one captured effect */
export function readCaptured(json: string): CapturedEffect {
  const data = parse(json);
  if (!data) return { kind: 'other' };
  if (data.kind === 'change') return data;
  if (data.kind === 'request') {
    const headers = Object.entries(data.headers).map(([name, value]) => `${name}: ${value}`);
    return {
      kind: 'request',
      text: [`${data.method} ${data.url}`, ...headers, '', data.body].join('\n').trim(),
    };
  }
  const { message, recipient } = data;
  return {
    kind: 'message',
    recipient,
    template: message.type === 'template' ? templateOf(message, data) : undefined,
    preview: previewOf(message),
  };
}

/** Numbers may be masked for viewers, which makes JSON invalid where they were no texts. */
function parse(json: string): z.output<typeof schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

function templateOf(
  message: z.output<typeof template>,
  { connection_id, account_id }: { connection_id: string; account_id: string },
): CapturedMessage['template'] {
  const { name, language } = message;
  const query = new URLSearchParams({ connection: connection_id, name, language });
  if (account_id) query.set('account', account_id);
  for (const [key, value] of valuesOf(message)) query.set(`value.${key}`, value);
  return { name: `${name} (${language})`, query: query.toString() };
}

/** By the keys of slots. */
const valuesOf = ({ values, parameters, header, button }: z.output<typeof template>): [string, string][] => [
  ...values.map(({ slot, value }): [string, string] => [slot.key, value]),
  ...parameters.map((value, index): [string, string] => [`body_${index + 1}`, value]),
  ...(header?.text === undefined ? [] : [['header', header.text] satisfies [string, string]]),
  ...(button ? [[`button_${button.index}`, button.text] satisfies [string, string]] : []),
];

const FORMATS = { image: 'IMAGE', video: 'VIDEO', document: 'DOCUMENT', audio: 'DOCUMENT' } as const;

function previewOf(message: Message): TemplatePreview {
  if (message.type !== 'text' && message.type !== 'media' && message.type !== 'template')
    return previewMessage(message);
  return { header: headerOf(message), body: bodyOf(message), footer: null, buttons: [] };
}

const headerOf = (message: PlainMessage): TemplatePreview['header'] =>
  message.type === 'media' ? { format: FORMATS[message.mediaType], text: '' } : null;

function bodyOf(message: PlainMessage): string {
  if (message.type === 'text') return message.body;
  if (message.type === 'media') return message.caption ?? message.filename ?? message.mediaType;
  const lines = valuesOf(message).flatMap(([key, value]) =>
    key.startsWith('body_') ? [`{{${key.slice('body_'.length)}}} = ${value}`] : [],
  );
  return lines.join('\n') || message.name;
}
