import type { Door } from './door.ts';
import type { ProcessGroup } from './process-group.ts';
import { watchSources } from './watch-sources.ts';

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
