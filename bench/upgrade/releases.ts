// The released versions, each with its commit: a clone finds them without tags (docs/operations.md, "Releases").
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { isOlderVersion } from '#lib/core/db/compatibility.ts';
import { VERSION } from '#lib/core/version.ts';

const releaseSchema = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  date: z.iso.date(),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  /** The name of its newest migration. */
  last_migration: z.string(),
});

export type Release = z.output<typeof releaseSchema>;

/** All of them, oldest first. */
export const listReleases = (): Release[] =>
  z
    .array(releaseSchema)
    .parse(JSON.parse(readFileSync(new URL('../../ops/releases.json', import.meta.url), 'utf8')));

/** The previous one. @throws Error when there is none */
export function previousRelease(version = VERSION): Release {
  const found = listReleases().findLast((release) => isOlderVersion(release.version, version));
  if (!found) throw new Error(`ops/releases.json names no release before ${version}.`);
  return found;
}
