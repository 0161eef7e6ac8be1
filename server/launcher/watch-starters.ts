/** When npm or a shell is killed, its script keeps running. */
const WATCH_MS = 1000;
/** The parent process (keep-launcher.sh), read before it can have ended. */
const shell = process.ppid;

/**
 * Calls `gone` once, when the parent shell of this process has ended, or the process that started that shell. @param starters
 * their pids
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
