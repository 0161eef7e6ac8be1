// Processes that we started know nothing of it when we are stopped.
import { onStop } from './on-stop.ts';

const held = new Map<number, () => void>();

/** Sends the process that signal if this one is told to stop. */
export function endWithUs(pid: number, signal: NodeJS.Signals): void {
  const forget = onStop(() => {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  });
  held.set(pid, forget);
}

/** It has been stopped: another process may have its number now. */
export function hasEnded(pid: number): void {
  held.get(pid)?.();
  held.delete(pid);
}
