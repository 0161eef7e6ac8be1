import { dirname, extname, join } from 'node:path';

/** Patchbay's folder. Sources (server/) and bundles (.programs/) are at the same depth in it. */
export const root = dirname(import.meta.dirname);

/**
 * The migrations of this version. A bundle has its own copy: the sources may already be those of a later version, whose tables
 * the database lacks.
 */
export const migrationsFolder = join(
  extname(import.meta.filename) === '.mjs' ? import.meta.dirname : root,
  'drizzle',
);
