// @ts-check
// Test support lives in folders named "testing" and in e2e; only tests and measurements import it.
import { directions, options, TEST_FILES } from '../../.dependency-cruiser.mjs';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...directions,
    {
      name: 'production-never-imports-test-support',
      severity: 'error',
      comment: 'Test support is not part of the product: move what both need out of the folder "testing".',
      from: { path: '^(app|components|lib|server|sandbox|proxy\\.ts)', pathNot: TEST_FILES },
      to: { path: TEST_FILES },
    },
  ],
  options,
};
