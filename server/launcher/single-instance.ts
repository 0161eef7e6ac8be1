// One Patchbay per data folder. The file names the processes, so that the next start can clear up after a kill.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { endProcess, isRunning } from './processes.ts';

const stateSchema = z.object({
  pid: z.number(),
  url: z.string(),
  /** true once the terminal or npm that it was started from is gone: the next start takes its place. */
  orphaned: z.boolean(),
  children: z.array(z.object({ pid: z.number(), program: z.string() })),
});

type InstanceState = z.infer<typeof stateSchema>;

export interface Instance {
  update(change: Partial<Omit<InstanceState, 'pid'>>): void;
  release(): void;
}

export interface RunningElsewhere {
  runningAt: string;
  pid: number;
}

const LAUNCHER = join('server', 'start.ts');

/**
 * Makes this process the one that runs from the data folder, after ending what a killed one left behind.
 * @returns the instance, or where the one is that runs already.
 */
export async function claimInstance(
  dataFolder: string,
  url: string,
  say: (line: string) => void,
): Promise<Instance | RunningElsewhere> {
  const path = join(dataFolder, 'running.json');
  const state: InstanceState = { pid: process.pid, url, orphaned: false, children: [] };
  while (!createOnce(path, state)) {
    const other = readState(path);
    if (other && other.pid !== process.pid && isRunning(other.pid, LAUNCHER)) {
      if (!other.orphaned) return { runningAt: other.url, pid: other.pid };
      say('Patchbay still runs without the terminal it was started from: stopping that one first');
      await endProcess(other.pid, LAUNCHER, 60_000);
    }
    for (const child of other?.children ?? []) await endProcess(child.pid, child.program, 12_000);
    removeIfUnchanged(path, other);
  }
  return {
    update(change) {
      Object.assign(state, change);
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(state));
      renameSync(`${path}.${process.pid}`, path);
    },
    release: () => removeIfUnchanged(path, state),
  };
}

/** Creates the file with its whole content, or not at all when it exists. */
function createOnce(path: string, state: InstanceState): boolean {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, JSON.stringify(state));
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
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
