import { settingWords } from '#lib/tasks/setting-values.ts';
import type { KindOffer, TaskKind } from '#lib/tasks/task-kind.ts';
import { type Action, describeAction, isSend } from './actions.ts';
import { branchesOfDelivery, waitsForDelivery } from './delivery/exits.ts';

const MESSAGE = ['whatsapp', 'sms', 'reply', 'message', 'chat', 'notify', 'customer'];

const offer = (action: Action, rest: Omit<KindOffer, 'settings'>): KindOffer => ({
  ...rest,
  settings: { action },
});

/** The seven actions as separate offers; the first is the default of the setting. */
const OFFERS: readonly KindOffer[] = [
  offer('send_template', {
    name: 'Send template',
    summary: 'Sends an approved message template, at any time.',
    keywords: [...MESSAGE, 'hsm', 'campaign', 'reminder'],
    icon: 'M4 4h16v16H4ZM4 9h16M9 9v11',
  }),
  offer('send_text', {
    name: 'Send text',
    summary: 'Sends a text within 24 hours of the customer’s last message, otherwise a fallback template.',
    keywords: [...MESSAGE, 'answer'],
    icon: 'M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719',
  }),
  offer('send_media', {
    name: 'Send media',
    summary: 'Sends an image, a video, a document, a voice message or a sticker.',
    keywords: [...MESSAGE, 'image', 'photo', 'video', 'document', 'pdf', 'file', 'audio', 'sticker'],
    icon: 'M3 5h18v14H3ZM3 16l5-5 5 5M12 15l3-3 6 6M15 9h.01',
  }),
  offer('get_message_status', {
    name: 'Get message status',
    summary: 'Asks whether a message was sent, delivered, read or failed.',
    keywords: ['delivered', 'read', 'delivery', 'receipt', 'track', 'whatsapp'],
    icon: 'M18 6 7 17l-5-5M22 10l-7.5 7.5L13 16',
  }),
  offer('mark_as_read', {
    name: 'Mark as read',
    summary: 'Marks a customer’s message as read.',
    keywords: ['seen', 'blue ticks', 'receipt', 'whatsapp'],
    icon: 'M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12M9 12a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  }),
  offer('create_template', {
    name: 'Create template',
    summary: 'Submits a new message template for approval.',
    keywords: ['new', 'message template', 'submit', 'approval', 'whatsapp'],
    icon: 'M4 4h16v16H4ZM12 8v8M8 12h8',
  }),
  offer('get_templates', {
    name: 'Get templates',
    summary: 'Lists the message templates of a business account.',
    keywords: ['list', 'message templates', 'fetch', 'whatsapp'],
    icon: 'M4 4h16v16H4ZM8 9h8M8 12h8M8 15h5',
  }),
];

/** Seven actions on the messaging platform (spec: Messaging Business Task). */
export const messagingBusinessKind = {
  type: 'messaging_business',
  typeId: 58,
  name: 'Messaging business',
  summary: 'Sends templates, texts and media, handles templates, statuses and read receipts.',
  category: 'messaging',
  icon: 'M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719',
  isTrigger: false,
  branches: [],
  branchesOf: (settings) => (isSend(settings) ? branchesOfDelivery(settings) : []),
  waits: (settings) => isSend(settings) && waitsForDelivery(settings),
  recipientOf: (settings) => (isSend(settings) ? settingWords(settings['recipient']) : undefined),
  offers: OFFERS,
  describe: describeAction,
} as const satisfies TaskKind;
