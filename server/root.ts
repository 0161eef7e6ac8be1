import { dirname, extname, join } from 'node:path';

/** Patchbay's folder. Sources (server/) and bundles (.programs/) lie equally deep in it. */
export const root = dirname(import.meta.dirname);

/**
 * The migrations of this version. A bundle has them beside it: the sources may be those of a later version by now, whose tables
 * the database lacks.
 */
export const migrationsFolder = join(
  extname(import.meta.filename) === '.mjs' ? import.meta.dirname : root,
  'drizzle',
);
