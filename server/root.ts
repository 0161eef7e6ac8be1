import { dirname } from 'node:path';

/** Patchbay's folder. Sources (server/) and bundles (.programs/) lie equally deep in it. */
export const root = dirname(import.meta.dirname);
