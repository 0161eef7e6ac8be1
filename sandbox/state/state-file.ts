// The sandbox's memory on disk: one JSON file that is replaced as a whole, and a file for each picture or document.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Media } from '../model.ts';
import type { World } from '../world.ts';
import { isSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts';

const QUIET_MS = 250;
/** Writing takes no more than this part of the time, however much there is. */
const SHARE = 1 / 20;

export type StateFile = {
  /** Something changed: it is written a moment later. */
  touch(): void;
  /** Writes what is not written yet. */
  close(): Promise<void>;
};

/** Restores a world from a folder, and keeps it there from now on. What cannot be read is left behind. */
export function openStateFile(world: World, folder: string): StateFile {
  const mediaFolder = join(folder, 'media');
  mkdirSync(mediaFolder, { recursive: true, mode: 0o700 });
  restore(world, folder);
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = QUIET_MS;
  let isClosed = false;
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const startedAt = performance.now();
    await writeMedia(world, mediaFolder);
    const path = join(folder, 'state.json');
    await writeFile(`${path}.new`, JSON.stringify(takeSnapshot(world)), { mode: 0o600 });
    await rename(`${path}.new`, path);
    pauseMs = Math.max(QUIET_MS, (performance.now() - startedAt) / SHARE);
  };
  const flush = (): void => {
    timer = undefined;
    writing = writing.then(write).catch((error: unknown) => {
      console.error(
        `The sandbox could not save its state: ${error instanceof Error ? error.message : String(error)}`,
      );
    });
  };
  return {
    touch() {
      if (!isClosed) timer ??= setTimeout(flush, pauseMs);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      flush();
      await writing;
    },
  };
}

function restore(world: World, folder: string): void {
  let text: string;
  try {
    text = readFileSync(join(folder, 'state.json'), 'utf8');
  } catch {
    return;
  }
  try {
    const snapshot: unknown = JSON.parse(text);
    if (!isSnapshot(snapshot)) return;
    const media = snapshot.media.flatMap((each): Media[] => {
      try {
        return [{ ...each, bytes: readFileSync(join(folder, 'media', each.id)) }];
      } catch {
        return [];
      }
    });
    restoreSnapshot(world, snapshot, media);
  } catch (error) {
    console.error(`The sandbox starts with its demo data: its state cannot be read (${String(error)}).`);
  }
}

/** Bytes never change: what is there is there. */
async function writeMedia(world: World, folder: string): Promise<void> {
  const there = new Set(readdirSync(folder));
  for (const { id, bytes } of world.media.values())
    if (!there.delete(id)) await writeFile(join(folder, id), bytes, { mode: 0o600 });
  for (const gone of there) await rm(join(folder, gone), { force: true });
}
