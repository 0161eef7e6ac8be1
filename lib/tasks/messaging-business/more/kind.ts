import { settingWords } from '#lib/tasks/setting-words.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';
import { branchesOfDelivery, waitsForDelivery } from '../delivery/exits.ts';
import { isTracked } from './actions.ts';
import { describeMore } from './describe.ts';
import { OFFERS } from './offers.ts';

/** More that the messaging platform can do, beside the seven actions of the specification. */
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
  branchesOf: (settings) => (isTracked(settings) ? branchesOfDelivery(settings) : []),
  waits: (settings) => isTracked(settings) && waitsForDelivery(settings),
  recipientOf: ({ action, recipient }) =>
    action === 'show_typing' || action === 'get_media' ? undefined : settingWords(recipient),
  offers: OFFERS,
  describe: describeMore,
} as const satisfies TaskKind;
