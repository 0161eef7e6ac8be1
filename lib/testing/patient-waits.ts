// Vitest's setup for all tests. By default `vi.waitFor` gives up after a second, and it has no configuration.
import { vi } from 'vitest';

const PATIENCE_MS = 60_000;

const { waitFor } = vi;
const isPatient = Symbol.for('patchbay.patient-waits');
// Files that share a process load this once each.
if (!(isPatient in waitFor))
  vi.waitFor = Object.assign(
    ((condition, options = {}) =>
      waitFor(
        condition,
        typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options },
      )) as typeof waitFor,
    { [isPatient]: true },
  );
