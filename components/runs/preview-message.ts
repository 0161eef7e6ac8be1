// Messages with more than a text, from executors (OutgoingMessage), for the phone's preview.
import * as z from 'zod';
import type { TemplatePreview } from '#lib/messaging/message-templates/schema/preview-template.ts';

const FORMATS = { text: 'TEXT', image: 'IMAGE', video: 'VIDEO', document: 'DOCUMENT' } as const;

const texts = {
  text: z.string(),
  footer: z.string(),
  header: z
    .object({ type: z.enum(['text', 'image', 'video', 'document']), text: z.string().default('') })
    .optional(),
};

export const richMessages = [
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

export function previewMessage(message: RichMessage): TemplatePreview {
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
        header: header ? { format: FORMATS[header.type], text: header.text } : null,
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
