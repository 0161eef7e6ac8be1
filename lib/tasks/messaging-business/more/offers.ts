import type { KindOffer } from '#lib/tasks/task-kind.ts';
import type { Action } from './actions.ts';

const offer = (action: Action, rest: Omit<KindOffer, 'settings'>): KindOffer => ({
  ...rest,
  keywords: ['whatsapp', 'message', ...rest.keywords],
  settings: { action },
});

/** Each action as a separate offer; the first is the default of the setting. */
export const OFFERS: readonly KindOffer[] = [
  offer('send_buttons', {
    name: 'Send buttons',
    summary: 'Sends a text with up to three buttons to tap, without waiting for the answer.',
    keywords: ['quick reply', 'interactive', 'choice', 'options'],
    icon: 'M4 3h16v8H4ZM4 15h7v5H4ZM13 15h7v5h-7Z',
  }),
  offer('send_list', {
    name: 'Send list',
    summary: 'Sends a text with a list of up to ten rows to choose from, without waiting for the answer.',
    keywords: ['menu', 'interactive', 'choice', 'options'],
    icon: 'M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01',
  }),
  offer('send_cta_url', {
    name: 'Send URL button',
    summary: 'Sends a text with a button that opens a web page.',
    keywords: ['call', 'action', 'call to action', 'cta', 'link', 'website', 'interactive'],
    icon: 'M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7',
  }),
  offer('send_reply', {
    name: 'Reply to message',
    summary: 'Sends a text that quotes a message of the conversation.',
    keywords: ['reply', 'reply-to', 'quote', 'answer', 'context'],
    icon: 'M9 17l-5-5 5-5M4 12h11a5 5 0 0 1 5 5v2',
  }),
  offer('request_location', {
    name: 'Request location',
    summary: 'Asks the customer to share their location by one tap.',
    keywords: ['where', 'address', 'place', 'map', 'interactive'],
    icon: 'M12 2v4M12 18v4M2 12h4M18 12h4M5 12a7 7 0 1 0 14 0a7 7 0 1 0-14 0M12 12h.01',
  }),
  offer('send_location', {
    name: 'Send location',
    summary: 'Sends a place on the map.',
    keywords: ['where', 'address', 'place', 'map', 'pin'],
    icon: 'M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21ZM9.5 9.5a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0',
  }),
  offer('send_contacts', {
    name: 'Send contacts',
    summary: 'Sends contact cards with names, numbers and email addresses.',
    keywords: ['contact', 'card', 'vcard', 'person', 'phone number'],
    icon: 'M16 20v-1a4 4 0 0 0-8 0v1M9 10a3 3 0 1 0 6 0a3 3 0 1 0-6 0M3 3h18v18H3Z',
  }),
  offer('send_sticker', {
    name: 'Send sticker',
    summary: 'Sends a sticker, which is a WebP picture.',
    keywords: ['webp', 'media', 'image'],
    icon: 'M14 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-9ZM14 3v5a2 2 0 0 0 2 2h5M8 13h.01M13 13h.01M8 16.5c1.5 1.3 4.5 1.3 6 0',
  }),
  offer('send_reaction', {
    name: 'Send reaction',
    summary: 'Puts an emoji on a message of the customer, or removes it.',
    keywords: ['react', 'emoji', 'like', 'thumbs up'],
    icon: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M8 14s1.5 2 4 2 4-2 4-2M9 9h.01M15 9h.01',
  }),
  offer('show_typing', {
    name: 'Show typing',
    summary: 'Marks a customer’s message as read and shows that an answer is being written.',
    keywords: ['typing indicator', 'mark as read', 'seen', 'writing'],
    icon: 'M21 12a8 8 0 0 1-11.5 7.2L4 21l1.8-5.5A8 8 0 1 1 21 12ZM9 12h.01M13 12h.01M17 12h.01',
  }),
  offer('get_media', {
    name: 'Get media',
    summary: 'Downloads a file that a customer sent, and gives a link to it.',
    keywords: ['download', 'file', 'image', 'photo', 'document', 'voice', 'audio', 'attachment'],
    icon: 'M12 3v12M7 11l5 5 5-5M4 20h16',
  }),
];
