import { defineConfig } from 'vitest/config';

/** Integration tests that hold times, memory or what a whole machine does: nothing else runs beside them. */
const TIMED = [
  'bench/{chaos,outages,overload}.integration.test.ts',
  'lib/engine/queue/short-waits.integration.test.ts',
  'lib/tasks/messaging-business/engine.integration.test.ts',
  'server/{conversation,kills,start,webhook-large-bodies,webhook-stop}.integration.test.ts',
  'server/systemd/units.integration.test.ts',
];
/** Those that take long and that no usual change can break: `npm run proof` runs them, before a release. */
const PROOF = ['bench/upgrade.integration.test.ts', 'server/image/image.integration.test.ts'];

const node = {
  environment: 'node' as const,
  exclude: ['node_modules/**', 'e2e/**', '.next/**'],
  /** So long conditions are waited for: they come in milliseconds, and later on a machine that is busy. */
  expect: { poll: { timeout: 20_000 } },
};

const withDatabase = {
  ...node,
  globalSetup: ['lib/testing/database-server.ts'],
  testTimeout: 180_000,
  hookTimeout: 180_000,
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'pure',
          include: ['{lib,components,sandbox,server,bench,docs,.ci}/**/*.test.{ts,tsx}'],
          exclude: [...node.exclude, '**/*.db.test.ts', '**/*.integration.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'db',
          include: ['{lib,app,server}/**/*.db.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'integration',
          include: ['{server,lib,sandbox,bench}/**/*.integration.test.ts'],
          exclude: [...node.exclude, ...TIMED, ...PROOF],
          // The other lane of `npm test` needs the other core.
          fileParallelism: false,
        },
      },
      { test: { ...withDatabase, name: 'timed', include: TIMED, fileParallelism: false } },
      { test: { ...withDatabase, name: 'proof', include: PROOF, fileParallelism: false } },
    ],
  },
});
