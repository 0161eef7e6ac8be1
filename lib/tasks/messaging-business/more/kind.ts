import {
  branchesOfDelivery,
  CUSTOMER_STOPPED,
  waitsForDelivery,
} from '#lib/tasks/messaging-business/delivery/exits.ts';
import { settingRows, settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';
import { isTracked, sendsMessage } from './actions.ts';
import { OFFERS } from './offers.ts';

/** The object of an action, for its card: `“Which size?” → {{phone}}`; empty while nothing is set. */
function describeMore(settings: Readonly<Record<string, unknown>>): string {
  const { action = 'send_buttons', recipient } = settings;
  const what = subjectOf(settings);
  const whom = action === 'show_typing' || action === 'get_media' ? '' : settingWords(recipient);
  return whom === '' ? what : `${what === '' ? '' : `${what} `}→ ${whom}`;
}

function subjectOf(settings: Readonly<Record<string, unknown>>): string {
  const words = (field: string): string => settingWords(settings[field]);
  switch (settings['action'] ?? 'send_buttons') {
    case 'send_location':
      return words('location_name') || [words('latitude'), words('longitude')].filter(Boolean).join(', ');
    case 'send_contacts':
      return settingRows(settings['contacts'])
        .map(({ name }) => settingWords(name))
        .filter(Boolean)
        .join(', ');
    case 'send_sticker':
      return words('media_url') || words('media_id');
    case 'send_reaction':
      return words('emoji');
    case 'show_typing':
      return words('message_id');
    case 'get_media':
      return words('media_id');
    default:
      return words('message_text') && `“${words('message_text')}”`;
  }
}

/** Further actions of the messaging platform, besides the seven of the specification. */
export const moreKind = {
  type: 'messaging_business_more',
  name: 'Messaging business: more',
  summary:
    'Sends buttons, lists, locations, contacts, stickers and reactions, shows typing, and downloads media.',
  category: 'messaging',
  group: 'More messaging',
  icon: 'M4 3h16v8H4ZM4 15h7v5H4ZM13 15h7v5h-7Z',
  isTrigger: false,
  branches: [],
  branchesOf: (settings) => {
    if (isTracked(settings)) return branchesOfDelivery(settings);
    return sendsMessage(settings) ? [CUSTOMER_STOPPED] : [];
  },
  waits: (settings) => isTracked(settings) && waitsForDelivery(settings),
  recipientOf: (settings) => (sendsMessage(settings) ? settingWords(settings['recipient']) : undefined),
  offers: OFFERS,
  describe: describeMore,
} as const satisfies TaskKind;
