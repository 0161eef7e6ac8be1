/** Neither npm nor a shell takes its script along when it is killed. */
const WATCH_MS = 1000;
/** What keeps this process (keep-launcher.sh), before it can have ended. */
const shell = process.ppid;

/**
 * Calls `gone` once, when the shell that keeps this process has ended, or what started that shell.
 * @param starters their pids
 */
export function watchStarters(starters: readonly number[], gone: () => void): void {
  const look = (): void => {
    if (process.ppid === shell && starters.every(exists)) return;
    clearInterval(watch);
    gone();
  };
  const watch = setInterval(look, WATCH_MS);
  look();
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
