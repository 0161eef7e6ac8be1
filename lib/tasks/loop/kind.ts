import { DONE_BRANCH, EACH_BRANCH, LIMIT_BRANCH } from '#lib/engine/graph-types.ts';
import { describeConditions } from '#lib/tasks/conditions/operators.ts';
import { settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskBranch, TaskKind } from '#lib/tasks/task-kind.ts';

const EACH = { name: EACH_BRANCH, label: 'For each item', color: 'repeat' } as const;
const DONE = { name: DONE_BRANCH, label: 'When done', color: 'positive' } as const;

const EXITS: readonly TaskBranch[] = [EACH, { ...DONE, isTakenAfterFailure: true }];
const EXITS_UNTIL: readonly TaskBranch[] = [
  { ...EACH, label: 'Each pass' },
  DONE,
  { name: LIMIT_BRANCH, label: 'Limit reached', color: 'negative', isTakenAfterFailure: true },
];

const describeUntil = (conditions: unknown, match: unknown, limit: unknown): string => {
  const words = describeConditions(conditions, match);
  return words === '' ? '' : `until ${words}, at most ${settingWords(limit) || DEFAULT_MAX_PASSES} times`;
};

/** The most passes of a loop that is repeated until a condition holds, where its settings name no other. */
export const DEFAULT_MAX_PASSES = 10;

/**
 * Runs the tasks after its `each` branch once for each item, or until a condition holds, then those behind `done`
 * (docs/engine.md).
 */
export const loopKind = {
  type: 'loop',
  name: 'Loop',
  summary: 'Runs tasks once for each item of a list, a number of times, or until a condition is met.',
  category: 'logic',
  icon: 'M17 2l4 4-4 4M3 11v-1a4 4 0 0 1 4-4h14M7 22l-4-4 4-4M21 13v1a4 4 0 0 1-4 4H3',
  isTrigger: false,
  keywords: [
    'for each',
    'foreach',
    'repeat',
    'iterate',
    'list',
    'items',
    'every',
    'batch',
    'times',
    'until',
    'while',
    'again',
  ],
  describe: ({ repeat, items, count, at_once, until, until_match, max_passes }) => {
    if (repeat === 'until') return describeUntil(until, until_match, max_passes);
    const times =
      settingWords(count) && `${settingWords(count)} ${settingWords(count) === '1' ? 'time' : 'times'}`;
    const words = settingWords(items) === '' ? times : `each of ${settingWords(items)}`;
    return words !== '' && Number(at_once) > 1 ? `${words}, ${Number(at_once)} at once` : words;
  },
  branches: EXITS_UNTIL,
  loopUntil: {
    done: DONE_BRANCH,
    settings: (until) => ({ repeat: 'until', until: [until ?? { left: '', operator: 'equals', right: '' }] }),
  },
  itemName: ({ repeat }) => (repeat === 'until' ? 'Pass' : 'Item'),
  branchesOf: ({ repeat }) => (repeat === 'until' ? EXITS_UNTIL : EXITS),
} as const satisfies TaskKind;
