import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Seven actions on the messaging platform (spec: Messaging Business Task). */
export const messagingBusinessKind: TaskKind = {
  type: 'messaging_business',
  typeId: 58,
  name: 'Messaging business',
  summary: 'Sends templates, texts and media, handles templates, statuses and read receipts.',
  category: 'messaging',
  icon: 'MessageCircle',
  isTrigger: false,
  branches: [],
};
