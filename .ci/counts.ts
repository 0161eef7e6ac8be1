import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';

/** Maximum number of characters of an error shown beside the failed test. */
const MAX_ERROR = 300;

export interface Counts {
  passed: number;
  failed: number;
  note?: string | undefined;
  /** Of Vitest's tests. */
  passedTests?: PassedTest[];
  /** How long each file of tests took. */
  durations?: FileDuration[];
  /** The tests that failed: file, titles, and how the error begins. */
  failures?: string[];
}

export interface FileDuration {
  /** From the root of the repository. */
  file: string;
  seconds: number;
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
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          title: z.string(),
          ancestorTitles: z.array(z.string()),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
      message: z.string().nullish(),
    }),
  ),
});

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(
        z.object({ duration: z.number(), errors: z.array(z.object({ message: z.string().optional() })) }),
      ),
    }),
  ),
});

interface PlaywrightSuite {
  file: string;
  specs: z.infer<typeof playwrightSpec>[];
  suites?: PlaywrightSuite[] | undefined;
}

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({
    file: z.string(),
    specs: z.array(playwrightSpec),
    suites: z.array(playwrightSuite).optional(),
  }),
);

const playwrightReport = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(playwrightSuite),
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(z.unknown()),
});

/** Counts of Vitest's JSON report; a file that failed outside its tests (an import, a hook) is one failure. */
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
  const durations = testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  const failures = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ title, ancestorTitles, failureMessages }) =>
        describeFailure(relative(root, name), [...ancestorTitles, title], failureMessages?.[0]),
      ),
  );
  failures.push(
    ...brokenFiles.map(({ name, message }) => describeFailure(relative(root, name), [], message)),
  );
  return withNotes(
    { passed: numPassedTests, failed: numFailedTests + brokenFiles.length, passedTests, durations, failures },
    { skipped: numPendingTests },
  );
}

/** Counts of Playwright's JSON report; errors outside the tests are failures, and so are tests that passed only on a retry. */
export function countPlaywright(root: string, report: unknown): Counts {
  const { config, suites, stats, errors } = playwrightReport.parse(report);
  const durations = suites.map((suite) => ({
    file: relative(root, join(config.rootDir, suite.file)),
    seconds: sumDurations(suite) / 1000,
  }));
  const failures = suites
    .flatMap(listSpecs)
    .flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) =>
          describeFailure(
            relative(root, join(config.rootDir, file)),
            [title],
            results.flatMap((result) => result.errors)[0]?.message,
          ),
        ),
    );
  return withNotes(
    { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, durations, failures },
    { skipped: stats.skipped, 'passed only when tried again': stats.flaky },
  );
}

const listSpecs = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
  ...specs,
  ...suites.flatMap(listSpecs),
];

const sumDurations = (suite: PlaywrightSuite): number =>
  listSpecs(suite)
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
    .reduce((sum, { duration }) => sum + duration, 0);

/** In one line, without terminal colors. */
function describeFailure(
  file: string,
  titles: readonly string[],
  message: string | null | undefined,
): string {
  const lines = stripVTControlCharacters(message ?? '').split('\n');
  const error = lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' | ')
    .slice(0, MAX_ERROR);
  return `${[file, ...titles].join(' › ')}${error === '' ? '' : `: ${error}`}`;
}

/** The slowest files first. */
export function findSlowest(durations: readonly FileDuration[], count: number): FileDuration[] {
  return durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
}

function withNotes(counts: Counts, notes: Record<string, number>): Counts {
  const note = Object.entries(notes)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
  return note ? { ...counts, note } : counts;
}
