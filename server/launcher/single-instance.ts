// One Patchbay per data folder. The file lists the processes, so that the next start can clean up after a kill.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { LaunchError } from './launch-error.ts';
import { endProcess, isRunning } from './processes.ts';

const stateSchema = z.object({
  pid: z.number(),
  url: z.string(),
  /** true once its terminal or npm has ended: the next start replaces it. */
  orphaned: z.boolean(),
  children: z.array(z.object({ pid: z.number(), program: z.string() })),
});

const FILE = 'running.json';
/** Pattern of a launcher's command line, from sources or from its bundle. */
const LAUNCHER = /(server|\.programs[^/]*)\/start\.(ts|mjs)/;
const STOP_PATIENCE_MS = 60_000;
const CHILD_GRACE_MS = 12_000;

type InstanceState = z.infer<typeof stateSchema>;

export interface Instance {
  /** Never throws: a full disk is no reason to stop. It is logged once, until a later write succeeds. */
  update(change: Partial<Omit<InstanceState, 'pid'>>): void;
  release(): void;
}

export interface RunningElsewhere {
  runningAt: string;
  pid: number;
}

/**
 * Claims the data folder for this process, after ending the remaining processes of a killed one. @returns the instance, or the
 * address of the one that already runs.
 * @throws LaunchError when the data folder cannot be written to.
 */
export async function claimInstance(
  dataFolder: string,
  url: string,
  say: (line: string) => void,
): Promise<Instance | RunningElsewhere> {
  const path = join(dataFolder, FILE);
  const state: InstanceState = { pid: process.pid, url, orphaned: false, children: [] };
  while (!createOnce(path, state)) {
    const other = readState(path);
    if (other && other.pid !== process.pid && isRunning(other.pid, LAUNCHER)) {
      if (!other.orphaned) return { runningAt: other.url, pid: other.pid };
      say('Patchbay is still running without its terminal: stopping it first');
      await endProcess(other.pid, LAUNCHER, STOP_PATIENCE_MS);
    }
    await endChildren(other);
    removeIfUnchanged(path, other);
  }
  let isWritable = true;
  return {
    update(change) {
      Object.assign(state, change);
      try {
        writeFileSync(`${path}.${process.pid}`, JSON.stringify(state));
        renameSync(`${path}.${process.pid}`, path);
        isWritable = true;
      } catch (error) {
        if (isWritable) say(`${(error as Error).message}: Patchbay continues, but the disk needs attention`);
        isWritable = false;
      }
    },
    release: () => removeIfUnchanged(path, state),
  };
}

/** Whether a launcher runs from the data folder. */
export function isClaimed(dataFolder: string): boolean {
  const state = readState(join(dataFolder, FILE));
  return state !== null && isRunning(state.pid, LAUNCHER);
}

/** Ends the remaining processes of an ended launcher, in its order. */
export async function endLeftBehind(dataFolder: string): Promise<void> {
  const path = join(dataFolder, FILE);
  const state = readState(path);
  await endChildren(state);
  removeIfUnchanged(path, state);
}

/** In reverse order of starting, because later ones use earlier ones; those of one program in parallel. */
async function endChildren(state: InstanceState | null): Promise<void> {
  const byProgram = Map.groupBy(state?.children ?? [], (child) => child.program);
  for (const [program, children] of [...byProgram].reverse())
    await Promise.all(children.map(({ pid }) => endProcess(pid, program, CHILD_GRACE_MS)));
}

/** Creates the file with its complete content, or not at all when it exists. */
function createOnce(path: string, state: InstanceState): boolean {
  const mine = `${path}.${process.pid}`;
  try {
    writeFileSync(mine, JSON.stringify(state));
    linkSync(mine, path);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new LaunchError(`The data folder cannot be written to: ${(cause as Error).message}`, { cause });
  } finally {
    rmSync(mine, { force: true });
  }
}

function readState(path: string): InstanceState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function removeIfUnchanged(path: string, seen: InstanceState | null): void {
  if (readState(path)?.pid === seen?.pid) rmSync(path, { force: true });
}
