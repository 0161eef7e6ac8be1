import { watch } from 'node:fs';
import { join } from 'node:path';
import type { Door } from './door.ts';
import type { ProcessGroup } from './process-group.ts';

/** Editors write a file in several steps, and a checkout writes many files. */
const QUIET_MS = 100;
const LOADED = /\.(tsx?|mjs|json)$/;
/** Tests and their support. */
const UNUSED = /\.test\.tsx?$|(^|\/)testing\//;

/** Restarts the processes of a changed source. Pages and components are excluded: Next.js reloads them. @returns stops it */
export function restartOnChange(
  root: string,
  group: ProcessGroup,
  door: Door,
  say: (line: string) => void,
): () => void {
  const ends = [
    watchSources(root, ['lib', 'server'], (file) => {
      say(`${file} changed: restarting web and worker`);
      void door.holdDuring(group.restart('web'));
      void group.restart('worker');
    }),
    watchSources(root, ['sandbox'], (file) => {
      say(`${file} changed: restarting the sandbox`);
      void group.restart('sandbox');
    }),
  ];
  return () => ends.forEach((end) => end());
}

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
