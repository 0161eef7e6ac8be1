import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskKind } from '#lib/tasks/task-kind.ts';

/** Runs another workflow of the workspace (docs/engine.md, "Calls"). */
export const callWorkflowKind = {
  type: 'call_workflow',
  name: 'Call a workflow',
  summary: 'Runs another workflow and continues with its output.',
  category: 'logic',
  icon: 'M4 4h8v6H4zM12 14h8v6h-8zM8 10v7h4M10 15l2 2l-2 2',
  isTrigger: false,
  branches: [],
  isWait: true,
  keywords: [
    'sub-workflow',
    'subworkflow',
    'execute workflow',
    'run workflow',
    'nested',
    'reuse',
    'function',
  ],
  calls: ({ called_workflow: id }) => settingWords(id) || undefined,
} as const satisfies TaskKind;
