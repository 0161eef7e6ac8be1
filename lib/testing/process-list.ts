// Linux's data about processes, for tests and measurements of memory and processor time.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
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

/**
 * The memory that these processes take where no other process runs the same programs: what is theirs, and the pages of each
 * program's files once. The sum of PSS depends on what else the machine runs.
 */
export function sumMemoryAlone(pids: readonly number[]): number {
  const files = new Map<string, number>();
  let bytes = 0;
  for (const pid of pids)
    try {
      const memory = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      bytes += bytesOf(memory, 'Pss_Anon') + bytesOf(memory, 'Pss_Shmem');
      const program = readlinkSync(`/proc/${pid}/exe`);
      const mapped = bytesOf(readFileSync(`/proc/${pid}/status`, 'utf8'), 'RssFile');
      files.set(program, Math.max(mapped, files.get(program) ?? 0));
    } catch {
      // It has just ended.
    }
  return [...files.values()].reduce((sum, each) => sum + each, bytes);
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
    return bytesOf(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss');
  } catch {
    return 0;
  }
}

/** An amount in a file of /proc such as `status` (proc_pid_status(5)); 0 where it has none. */
const bytesOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024;
