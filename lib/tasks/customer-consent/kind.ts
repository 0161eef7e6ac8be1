import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskBranch, TaskKind } from '#lib/tasks/task-kind.ts';

export const CONSENTED = { name: 'consented', label: 'Consented', color: 'positive' } as const;
export const NOT_CONSENTED = {
  name: 'not_consented',
  label: 'Not consented',
  color: 'negative',
  isTakenAfterFailure: true,
} as const;

const CHECK_EXITS: readonly TaskBranch[] = [CONSENTED, NOT_CONSENTED];

/** Records and checks what a customer agreed to, and leaves a customer to people (lib/messaging/consent). */
export const customerConsentKind = {
  type: 'customer_consent',
  name: 'Customer consent',
  summary: 'Hands a customer over to people, and records or checks what they agreed to.',
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
  ],
  describe: ({ recipient }) => settingWords(recipient),
} as const satisfies TaskKind;
