import { settingRows, settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskBranch, TaskKind } from '#lib/tasks/task-kind.ts';

export const CONSENTED = { name: 'consented', label: 'Consented', color: 'positive' } as const;
export const NOT_CONSENTED = {
  name: 'not_consented',
  label: 'Not consented',
  color: 'negative',
  isTakenAfterFailure: true,
} as const;

const CHECK_EXITS: readonly TaskBranch[] = [CONSENTED, NOT_CONSENTED];

const namesIn = (rows: unknown): string[] => settingRows(rows).map(({ name }) => settingWords(name));

/** Leaves a customer to people, records and checks what they agreed to (lib/messaging/consent), and remembers values (lib/messaging/attributes). */
export const customerConsentKind = {
  type: 'customer_consent',
  name: 'Customer',
  summary: 'Hands a customer over to people, records or checks what they agreed to, and remembers values.',
  category: 'messaging',
  icon: 'M9 12l2 2l4-4M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0',
  isTrigger: false,
  branches: [],
  branchesOf: ({ action }) => (action === 'check_consent' ? CHECK_EXITS : []),
  offers: [
    {
      name: 'Hand over',
      summary: 'Puts a customer on hold: no workflow sends to them until people are done.',
      keywords: ['hold', 'human', 'agent', 'person', 'pause', 'takeover', 'support', 'staff'],
      icon: 'M16 11a4 4 0 1 0-8 0a4 4 0 1 0 8 0M4 21a8 8 0 0 1 16 0',
      settings: { action: 'hand_over' },
    },
    {
      name: 'Give back',
      summary: 'Releases a customer from hold: workflows send to them again.',
      keywords: ['hold', 'release', 'end', 'resume', 'resolve', 'close', 'bot', 'takeover', 'unhold'],
      icon: 'M12 11a4 4 0 1 0-8 0a4 4 0 1 0 8 0M2 21a6 6 0 0 1 12 0M22 9h-6M19 6l-3 3l3 3',
      settings: { action: 'give_back' },
    },
    {
      name: 'Set consent',
      summary: 'Records that a customer agreed to messages, or stopped them.',
      keywords: ['opt in', 'opt out', 'subscribe', 'unsubscribe', 'stop', 'marketing', 'gdpr'],
      icon: 'M9 12l2 2l4-4M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0',
      settings: { action: 'set_consent' },
    },
    {
      name: 'If consented',
      summary: 'Continues on one exit for customers who agreed to messages, and on another for all others.',
      keywords: ['opt in', 'opt out', 'condition', 'branch', 'check', 'subscribed', 'marketing', 'gdpr'],
      icon: 'M9 12l2 2l4-4M12 3l7 3v5c0 5-3 8-7 10c-4-2-7-5-7-10V6z',
      settings: { action: 'check_consent' },
    },
    {
      name: 'Remember',
      summary: 'Stores values with the customer, for later runs of all workflows.',
      keywords: ['attribute', 'profile', 'contact', 'field', 'store', 'save', 'memory', 'property', 'tag'],
      icon: 'M6 3h12v18l-6-4l-6 4zM9 8h6M9 12h6',
      settings: { action: 'remember' },
    },
    {
      name: 'Recall',
      summary: 'Gives the values that were remembered of a customer to later tasks.',
      keywords: ['attribute', 'profile', 'contact', 'field', 'read', 'load', 'get', 'memory', 'property'],
      icon: 'M6 3h12v18l-6-4l-6 4zM12 7v6M9 10l3-3l3 3',
      settings: { action: 'recall' },
    },
  ],
  describe: ({ action, recipient, attributes, recalled }) =>
    [
      settingWords(recipient),
      ...namesIn(action === 'remember' ? attributes : action === 'recall' ? recalled : []),
    ]
      .filter((words) => words !== '')
      .join(', '),
} as const satisfies TaskKind;
