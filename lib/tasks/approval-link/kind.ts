import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Creates a link by which a person or another system approves or rejects (lib/approvals). */
export const approvalLinkKind = {
  type: 'approval_link',
  name: 'Approval link',
  summary: 'Creates a link that someone opens to approve or reject.',
  category: 'logic',
  icon: 'M9 12l2 2l4-4M12 3l7 3v5c0 5-3 8-7 10c-4-2-7-5-7-10V6z',
  isTrigger: false,
  branches: [],
  keywords: ['approve', 'approval', 'decision', 'person', 'human', 'manual', 'resume', 'url', 'hand-over'],
  describe: ({ question }) => settingWords(question) && `“${settingWords(question)}”`,
} as const satisfies TaskKind;
