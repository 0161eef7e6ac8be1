import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Integration tests that measure times, memory or the whole machine: nothing else runs in parallel. */
const TIMED = [
  'bench/{outages,overload,planted-defects}.integration.test.ts',
  'server/{conversation,webhook-large-bodies}.integration.test.ts',
];
/** Of kills, waits and stops, which wait for half of their time: what they claim holds on a busy machine, too, so that browser tests run in parallel. */
const PACED = [
  'bench/{chaos,conversations-and-lists}.integration.test.ts',
  'lib/engine/queue/short-waits.integration.test.ts',
  'lib/tasks/messaging-business/engine.integration.test.ts',
  'server/{kills,webhook-stop}.integration.test.ts',
];
/** Long ones that ordinary changes do not break: `npm run proof` runs them, before a release. */
const PROOF = ['bench/upgrade.integration.test.ts', 'server/image/image.integration.test.ts'];

/** Tests that change what a whole process shares: its settings, its task types, its traces, its clock, behind which no id goes back. */
const ISOLATED = [
  'components/task-panel/task-types/made-up-task-type.test.ts',
  'lib/api/{route,sign-in}.db.test.ts',
  'lib/exports/exports.db.test.ts',
  'lib/engine/queue/heartbeat.db.test.ts',
  'lib/identity/two-factor/two-factor.db.test.ts',
  'lib/messaging/connections/api.db.test.ts',
  'server/{audit,operations}.db.test.ts',
  'server/traces/*.test.ts',
];

/** Those that take a minute: one that starts last would have a core to itself. */
const LONGEST = [
  'bench/conversations-and-lists.integration.test.ts',
  'bench/chaos.integration.test.ts',
  'server/authorization.integration.test.ts',
  'server/newcomer.integration.test.ts',
  'server/start.integration.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.some((file) => moduleId.endsWith(`/${file}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const node = {
  environment: 'node' as const,
  exclude: ['node_modules/**', 'e2e/**', '.next/**'],
  // Conditions are met within milliseconds, or later on a busy machine: `vi.waitFor` and `expect.poll` have the same timeout.
  setupFiles: ['lib/testing/patient-waits.ts'],
  expect: { poll: { timeout: 60_000 } },
};

const withDatabase = {
  ...node,
  globalSetup: ['lib/testing/database-server.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // The parts of `npm test` run one after the other, and share most of their imports: each file is transformed once for all of them.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    projects: [
      {
        test: {
          ...node,
          name: 'pure',
          // Files share a process, and their imports are loaded once: half of the processor time.
          isolate: false,
          include: ['{lib,components,sandbox,server,bench,docs,.ci}/**/*.test.{ts,tsx}'],
          exclude: [...node.exclude, ...ISOLATED, '**/*.db.test.ts', '**/*.integration.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'db',
          isolate: false,
          // They wait for the database for half of their time.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          include: ['{lib,app,server,bench}/**/*.db.test.ts'],
          exclude: [...node.exclude, ...ISOLATED],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'isolated',
          include: ISOLATED,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'integration',
          include: ['{server,lib,sandbox,bench}/**/*.integration.test.ts'],
          // Files share products (server/testing/share.ts), and their imports are loaded once.
          isolate: false,
          exclude: [...node.exclude, ...PACED, ...TIMED, ...PROOF],
          // They wait for half of their time; browser tests run in parallel.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'paced',
          include: PACED,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'timed',
          include: TIMED,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
      { test: { ...withDatabase, name: 'proof', include: PROOF, fileParallelism: false } },
    ],
  },
});
