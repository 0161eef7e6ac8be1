import { defineConfig } from 'vitest/config';

const node = {
  environment: 'node' as const,
  exclude: ['node_modules/**', 'e2e/**', '.next/**'],
  /** So long conditions are waited for: they come in milliseconds, and later on a machine that is busy. */
  expect: { poll: { timeout: 20_000 } },
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
          ...node,
          name: 'db',
          include: ['{lib,app,server}/**/*.db.test.ts'],
          globalSetup: ['lib/testing/database-server.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: 'integration',
          include: ['{server,lib,sandbox,bench}/**/*.integration.test.ts'],
          globalSetup: ['lib/testing/database-server.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
