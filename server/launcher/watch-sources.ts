import { watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file in several steps, and a checkout writes many files. */
const QUIET_MS = 100;
const LOADED = /\.(tsx?|mjs|json)$/;
/** Tests and their support. */
const UNUSED = /\.test\.tsx?$|(^|\/)testing\//;

/**
 * Calls `changed` with the path of a source that was written, added or removed, once for changes at the same time. @param
 * folders in the root folder @returns stops it
 */
export function watchSources(
  root: string,
  folders: readonly string[],
  changed: (file: string) => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      const file = join(folder, name ?? '');
      if (!LOADED.test(file) || UNUSED.test(file)) return;
      clearTimeout(timer);
      timer = setTimeout(() => changed(file), QUIET_MS);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
