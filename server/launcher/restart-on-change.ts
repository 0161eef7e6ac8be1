import type { Door } from './door.ts';
import type { ProcessGroup } from './process-group.ts';
import { watchSources } from './watch-sources.ts';

/**
 * Restarts what a changed source belongs to. Pages and components are not among it: Next.js loads them again.
 * @returns what ends it
 */
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
