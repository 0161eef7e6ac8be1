// Files in a folder of this machine, or one that all machines share, one folder a day. Patchbay serves them by its own links.
import { constants } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LinkSealer, sealLink } from './media-link.ts';
import { dayOf, isMediaKey, type MediaStore } from './media-store.ts';

export function createFolderStore(folder: string, links: LinkSealer): MediaStore {
  return {
    async put({ key }, { path }) {
      const target = join(folder, key);
      const part = `${target}.part`;
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      try {
        await copyFile(path, part, constants.COPYFILE_FICLONE);
        const file = await open(part);
        await file.sync();
        await file.close();
        await rename(part, target);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    remove: (key) => rm(mediaPath(folder, key), { force: true }),
    link: async (file, expiresAt) => sealLink(links, file, expiresAt),
    async prune(before) {
      const days = await readdir(folder).catch(unlessAbsent);
      const old = days.filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day) && day < dayOf(before));
      let files = 0;
      for (const day of old) {
        files += (await readdir(join(folder, day))).length;
        await rm(join(folder, day), { recursive: true, force: true });
      }
      return files;
    },
  };
}

/** The path of a stored file. @throws Error for an invalid key */
export function mediaPath(folder: string, key: string): string {
  if (!isMediaKey(key)) throw new Error('This is not the key of a stored file.');
  return join(folder, key);
}

function unlessAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
