import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(import.meta.dirname, '..', '..', '..', '..', 'ops', 'releases.json');

/** The name of the last migration of the first release: those before it were made while nobody ran Patchbay. */
export const FIRST_RELEASED = (JSON.parse(readFileSync(path, 'utf8')) as { last_migration: string }[])[0]
  ?.last_migration as string;
