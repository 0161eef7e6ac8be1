import { describeComparison } from '#lib/tasks/conditions/operators.ts';
import { settingRows, settingWords } from '#lib/tasks/setting-values.ts';
import type { TaskBranch, TaskKind } from '#lib/tasks/task-kind.ts';

/** The exit where no case holds. */
export const OTHERWISE = {
  name: 'otherwise',
  label: 'Otherwise',
  color: 'negative',
  isTakenAfterFailure: true,
} as const satisfies TaskBranch;

/** The exit of a case. @param place index from 0 */
export const caseBranch = (place: number): string => `case_${place + 1}`;

/** The label of a case of settings that may be a draft's: its own, or its comparison. */
export function caseLabel(row: Readonly<Record<string, unknown>>): string {
  const own = settingWords(row['label']);
  if (own !== '') return own;
  const { operator = 'equals', right } = row;
  return operator === 'equals' ? settingWords(right) || '(empty)' : describeComparison(row);
}

const branchesOfSwitch = ({ cases }: Readonly<Record<string, unknown>>): TaskBranch[] => [
  ...settingRows(cases).map((row, place): TaskBranch => ({
    name: caseBranch(place),
    label: caseLabel(row),
    color: 'positive',
  })),
  OTHERWISE,
];

/** Takes the branch of the first case that holds for a value (docs/engine.md). */
export const switchKind = {
  type: 'switch',
  name: 'Switch',
  summary: 'Continues on the branch of the first case that fits a value, up to 20.',
  category: 'logic',
  icon: 'M6 3v18M6 8h7a4 4 0 0 1 4 4v0M6 14h5M17 8l0 4 0 0M13 18l4-4 4 4M11 14l3 3',
  isTrigger: false,
  keywords: ['branch', 'cases', 'router', 'route', 'menu', 'compare', 'choose', 'match', 'decision'],
  newSettings: {
    cases: [
      { operator: 'equals', right: '' },
      { operator: 'equals', right: '' },
    ],
  },
  describe: ({ value, cases }) => {
    const words = settingWords(value);
    const count = settingRows(cases).length;
    return words && `${words}: ${count} ${count === 1 ? 'case' : 'cases'}`;
  },
  branches: [
    { name: caseBranch(0), label: 'Case 1', color: 'positive' },
    { name: caseBranch(1), label: 'Case 2', color: 'positive' },
    OTHERWISE,
  ],
  branchesOf: branchesOfSwitch,
} as const satisfies TaskKind;
