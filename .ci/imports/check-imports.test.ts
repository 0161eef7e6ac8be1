import { expect, it } from 'vitest';
import { doorsOf } from '../../.dependency-cruiser.mjs';
import { describeViolations } from './check-imports.ts';

const RULES = [
  { name: 'core-is-lowest', comment: 'Move it down.', from: {}, to: {} },
  {
    name: 'no-circle',
    comment: 'Move it apart.',
    scope: 'folder' as const,
    from: {},
    to: { circular: true },
  },
];
const wrong = {
  from: 'lib/core/a.ts',
  to: 'lib/api/b.ts',
  rule: { name: 'core-is-lowest', severity: 'error' as const },
};
const circle = (...names: string[]) => ({
  from: names[0] ?? '',
  to: names[1] ?? '',
  rule: { name: 'no-circle', severity: 'error' as const },
  cycle: [...names.slice(1), names[0] ?? ''].map((name) => ({ name, dependencyTypes: [] })),
});

it('shows an import with what to do instead, and not the circles of folders that it closes', () => {
  const problems = describeViolations([circle('lib/core', 'lib/api'), wrong], RULES);
  expect(problems).toEqual(['lib/core/a.ts → lib/api/b.ts\n    Move it down. (core-is-lowest)']);
});

it('shows the shortest circles of folders where nothing else is wrong', () => {
  const long = ['a', 'b', 'c', 'd'];
  const problems = describeViolations(
    [long, long, long, ['a', 'd']].map((names) => circle(...names)),
    RULES,
  );
  expect(problems).toHaveLength(3);
  expect(problems[0]).toBe('a → d → a\n    Move it apart. (no-circle)');
});

it('takes as doors what the paragraph names in folders, over its line breaks, and nothing else', () => {
  const readme =
    '# room\n\nAs `a/b.ts` says.\n\nEnter by: `run.ts`; in folders by `c/d.ts`,\n`e/` and `f/g/h.ts`.\n\nMay import: `x/`.\n';
  expect(doorsOf(readme)).toEqual(['c/d.ts', 'e/', 'f/g/h.ts']);
  expect(doorsOf('# room\n\nEnter by: `e/`.\n')).toEqual(['e/']);
  expect(doorsOf('# room\n')).toEqual([]);
});
