import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';
import { APPROVED, NO_DECISION, REJECTED } from './exits.ts';

/** Waits until someone has decided by an approval link (docs/engine.md, "Signals"). */
export const waitForApprovalKind = {
  type: 'wait_for_approval',
  name: 'Wait for approval',
  summary: 'Waits until someone approves or rejects by an approval link.',
  category: 'logic',
  icon: 'M5 3h14M5 21h14M7 3v4l5 5l5-5V3M7 21v-4l5-5l5 5v4',
  isTrigger: false,
  branches: [APPROVED, REJECTED, NO_DECISION],
  isWait: true,
  waits: true,
  keywords: ['approve', 'approval', 'reject', 'decision', 'person', 'human', 'manual', 'resume', 'hand-over'],
  describe: ({ wait_amount: amount = 7, wait_unit: unit = 'days' }) => {
    const [count, units] = [settingWords(amount), settingWords(unit)];
    return count && `up to ${count} ${count === '1' ? units.replace(/s$/, '') : units}`;
  },
} as const satisfies TaskKind;
