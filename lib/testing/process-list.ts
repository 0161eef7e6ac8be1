// Linux's data about processes, for tests and measurements of memory and processor time.
import { readdirSync, readFileSync } from 'node:fs';
import { readProcessTimes } from './process-times.ts';

export interface ProcessFigures {
  pid: number;
  /** The parent first. */
  ancestors: number[];
  command: string;
  /** Its memory, with its share of shared memory (PSS); 0 where that may not be read. */
  proportionalBytes: number;
  /** User and system time. */
  cpuSeconds: number;
}

/** All processes of this machine (Linux only), without those that end during reading. */
export function listProcesses(): ProcessFigures[] {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const parents = new Map(found.map(({ pid, parent }) => [pid, parent]));
  const ancestorsOf = (pid: number): number[] => {
    const parent = parents.get(pid);
    return parent === undefined ? [] : [parent, ...ancestorsOf(parent)];
  };
  return found.map(({ parent: _parent, ...figures }) => ({
    ...figures,
    ancestors: ancestorsOf(figures.pid),
  }));
}

/** Processes whose command line or environment mentions this text, such as the data folder that they run from. */
export function findProcessesMentioning(text: string): number[] {
  const mentions = (file: string): boolean => {
    try {
      return readFileSync(file, 'utf8').includes(text);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => mentions(`/proc/${name}/cmdline`) || mentions(`/proc/${name}/environ`))
    .map(Number);
}

function readProcess(pid: number): (Omit<ProcessFigures, 'ancestors'> & { parent: number }) | null {
  try {
    const { parent, ownSeconds } = readProcessTimes(pid);
    return {
      pid,
      parent,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
      cpuSeconds: ownSeconds,
      proportionalBytes: readProportionalBytes(pid),
    };
  } catch {
    return null;
  }
}

function readProportionalBytes(pid: number): number {
  try {
    const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
