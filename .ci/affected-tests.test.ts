import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUDGET_SECONDS, findAffectedTests } from './affected-tests.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'patchbay-affected-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
}

test('tests that import what changed, by whatever way, the nearest first', () => {
  write({
    'lib/core/ids.ts': '',
    'lib/core/ids.test.ts': "import { newId } from './ids.ts';",
    'lib/runs/get-run.ts': "import { newId } from '#lib/core/ids.ts';",
    'lib/runs/get-run.db.test.ts': "import { getRun } from './get-run.ts';",
    'lib/runs/get-run.integration.test.ts': "import { getRun } from './get-run.ts';",
    'components/runs/row.tsx': "const load = () => import('#lib/runs/get-run.ts');",
    'components/runs/row.test.tsx': "import '../runs/row.tsx';",
    'lib/core/other.test.ts': "import { other } from './other.ts';",
  });
  expect(findAffectedTests(root, ['lib/core/ids.ts'])).toEqual({
    run: ['lib/core/ids.test.ts', 'lib/runs/get-run.db.test.ts', 'components/runs/row.test.tsx'],
    left: 0,
  });
  expect(findAffectedTests(root, ['lib/core/other.test.ts', 'README.md']).run).toEqual([
    'lib/core/other.test.ts',
  ]);
});

test('what everything imports brings as many tests as there is time for, and every test that was changed', () => {
  const near = Array.from({ length: BUDGET_SECONDS * 3 }, (_, index) => `lib/near-${index}.test.ts`);
  write({ 'lib/all.ts': '', 'lib/far.ts': "import './all.ts';", 'lib/far.test.ts': "import './far.ts';" });
  write(Object.fromEntries(near.map((file) => [file, "import './all.ts';"])));
  const { run, left } = findAffectedTests(root, ['lib/all.ts']);
  expect(run).toHaveLength(BUDGET_SECONDS * 2);
  expect(near).toEqual(expect.arrayContaining(run));
  expect(left).toBe(near.length + 1 - run.length);
  expect(findAffectedTests(root, ['lib/all.ts', ...near]).run).toEqual(expect.arrayContaining(near));
});

test('each changed file has its nearest tests run, however many import another one', () => {
  const near = Array.from({ length: BUDGET_SECONDS * 3 }, (_, index) => `lib/near-${index}.test.ts`);
  write(Object.fromEntries(near.map((file) => [file, "import './all.ts';"])));
  write({ 'lib/all.ts': '', 'server/cases.ts': '', 'server/cases.db.test.ts': "import './cases.ts';" });
  const { run } = findAffectedTests(root, ['lib/all.ts', 'server/cases.ts']);
  expect(run).toContain('server/cases.db.test.ts');
});

test('what is generated is compared with what changed, however far away', () => {
  const near = Array.from({ length: BUDGET_SECONDS * 3 }, (_, index) => `lib/near-${index}.test.ts`);
  const files = Object.fromEntries(near.map((file) => [file, "import './all.ts';"]));
  const generator = "import '#lib/far.ts';\nexpect(text).toMatchFileSnapshot('far.txt');";
  write({ ...files, 'lib/all.ts': '', 'lib/far.ts': "import './all.ts';", 'docs/far.test.ts': generator });
  const { run, left } = findAffectedTests(root, ['lib/all.ts']);
  expect(run).toContain('docs/far.test.ts');
  expect(run.length + left).toBe(near.length + 1);
  expect(left).toBeGreaterThan(0);
});
