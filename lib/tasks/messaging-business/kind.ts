import { settingWords } from '#lib/tasks/setting-words.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';
import { isSend } from './actions.ts';
import { branchesOfDelivery, waitsForDelivery } from './delivery/exits.ts';
import { describeAction } from './describe-action.ts';
import { OFFERS } from './offers.ts';

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
