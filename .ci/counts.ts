import { relative } from 'node:path';
import { z } from 'zod';

export interface Counts {
  passed: number;
  failed: number;
  note?: string | undefined;
  /** Of vitest's tests. */
  passedTests?: PassedTest[];
}

export interface PassedTest {
  /** From the root of the repository. */
  file: string;
  /** The test's own and those of the groups around it. */
  titles: string[];
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), title: z.string(), ancestorTitles: z.array(z.string()) }),
      ),
    }),
  ),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(z.unknown()),
});

/** Counts of vitest's JSON report; a file that failed outside its tests (an import, a hook) is one failure. */
export function countVitest(root: string, report: unknown): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = vitestReport.parse(report);
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed'),
  );
  const passedTests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed')
      .map(({ title, ancestorTitles }) => ({
        file: relative(root, name),
        titles: [...ancestorTitles, title],
      })),
  );
  return withNotes(
    { passed: numPassedTests, failed: numFailedTests + brokenFiles.length, passedTests },
    { skipped: numPendingTests },
  );
}

/** Counts of Playwright's JSON report; errors outside the tests are failures. What passed at the second attempt is said so. */
export function countPlaywright(report: unknown): Counts {
  const { stats, errors } = playwrightReport.parse(report);
  return withNotes(
    { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length },
    { skipped: stats.skipped, 'at the second attempt': stats.flaky },
  );
}

function withNotes(counts: Counts, notes: Record<string, number>): Counts {
  const note = Object.entries(notes)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
  return note ? { ...counts, note } : counts;
}
