/** Milliseconds of processor time of some work in this thread, independent of other load on the machine. */
export function measureCpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
