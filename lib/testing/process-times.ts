// Processor times as counted by Linux, in hundredths of a second.
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

export interface ProcessTimes {
  parent: number;
  /** User and system time of its own threads. */
  ownSeconds: number;
  /** Of its children that ended and were waited for, with theirs. */
  endedChildrenSeconds: number;
}

/** Reads a line of `/proc/<pid>/stat` (proc_pid_stat(5)). */
export function parseProcessTimes(stat: string): ProcessTimes {
  // The name may hold spaces and brackets; the state is the first field after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const secondsOf = (index: number): number =>
    (Number(fields[index]) + Number(fields[index + 1])) / TICKS_PER_SECOND;
  return { parent: Number(fields[1]), ownSeconds: secondsOf(11), endedChildrenSeconds: secondsOf(13) };
}

export interface MachineTimes {
  /** What all processes and the kernel used, on all cores. */
  busySeconds: number;
  /** Time that the host gave to other guests. */
  stolenSeconds: number;
}

/** Reads `/proc/stat`; its first line has user, nice, system, idle, iowait, irq, softirq and steal (proc_stat(5)). */
export function parseMachineTimes(stat: string): MachineTimes {
  const line = /^cpu +(.*)$/m.exec(stat)?.[1] ?? '';
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(' ').map(Number);
  return {
    busySeconds: (user + nice + system + irq + softirq) / TICKS_PER_SECOND,
    stolenSeconds: steal / TICKS_PER_SECOND,
  };
}

export const readMachineTimes = (): MachineTimes => parseMachineTimes(readFileSync('/proc/stat', 'utf8'));

/** The times of one process. @throws Error if there is none (`ENOENT`, `ESRCH`). */
export const readProcessTimes = (pid: number): ProcessTimes =>
  parseProcessTimes(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/**
 * The processor time of a process and all its descendants, including those that have ended since.
 * @param without processes that are not counted; they must still run.
 */
export function readFamilySeconds(root: number, without: readonly number[] = []): number {
  const times = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      times.set(Number(name), readProcessTimes(Number(name)));
    } catch {
      // It has just ended: its parent counts it.
    }
  }
  return sumFamilySeconds(times, root, without);
}

/** The same for already read times. */
export function sumFamilySeconds(
  times: ReadonlyMap<number, ProcessTimes>,
  root: number,
  without: readonly number[] = [],
): number {
  let seconds = 0;
  for (const [pid, { ownSeconds, endedChildrenSeconds }] of times)
    if (!without.includes(pid) && belongsTo(times, pid, root)) seconds += ownSeconds + endedChildrenSeconds;
  return seconds;
}

function belongsTo(times: ReadonlyMap<number, ProcessTimes>, pid: number, root: number): boolean {
  for (let at: number | undefined = pid; at !== undefined; at = times.get(at)?.parent)
    if (at === root) return true;
  return false;
}
