// Builds once, before each worker starts its own product.
import { dirname } from 'node:path';
import { buildIfNeeded } from '../server/launcher/build.ts';

export default async function globalSetup(): Promise<void> {
  await buildIfNeeded(dirname(import.meta.dirname), console.log, new AbortController().signal);
}
