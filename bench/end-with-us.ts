// Processes that we started know nothing of it when we are stopped.
const held = new Map<number, NodeJS.Signals>();

/** Sends the process that signal if this one is told to stop. */
export function endWithUs(pid: number, signal: NodeJS.Signals): void {
  for (const reason of ['SIGINT', 'SIGTERM'] as const)
    if (!process.listeners(reason).includes(endAll)) process.on(reason, endAll);
  held.set(pid, signal);
}

function endAll(): void {
  for (const [pid, signal] of held) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
  process.exit(130);
}

/** It has been stopped: another process may have its number now. */
export const hasEnded = (pid: number): void => void held.delete(pid);
