import { VERSION } from '#lib/core/version.ts';

/** Goes with every request to the platform: downloads of files without one were refused. */
export const USER_AGENT = `Patchbay/${VERSION}`;
