// The folders of builds: each in an immutable folder, such as `.pages-<hash of its sources>`, and `.pages` is a link to the
// last one. They are at the same depth as `.next` and `server`, so that relative paths to packages and sources stay valid.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, extname, join } from 'node:path';
import { isRunning } from './processes.ts';
import { type BUILDS, folderFor, linkOf } from './sources.mjs';

export type BuildName = keyof typeof BUILDS;

/** Environment variable with the folder of pages, for the launcher's child processes and for next.config.mjs. */
const PAGES_VARIABLE = 'PATCHBAY_PAGES';
/** Prefix of marker files of processes that use a folder; the process id follows. */
const MARK = 'used-by-';
/** Another program may have the process id of an ended one. */
const USER = /node/i;

/**
 * Creates a build in a temporary folder and replaces the last one atomically. Processes of an earlier one are not disturbed. An
 * existing one is reused.
 * @param make fills the folder, which does not exist yet; nothing changes where it fails
 */
export async function makeBuild(
  root: string,
  name: BuildName,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = folderFor(root, name);
  if (!existsSync(join(root, folder))) {
    const aside = join(root, `${linkOf(name)}-making`);
    rmSync(aside, { recursive: true, force: true });
    await make(aside);
    renameSync(aside, join(root, folder));
  }
  const before = replaceLink(root, name, folder);
  removeUnused(root, name, [folder, before]);
}

/**
 * The folder of the pages that this process and its child processes serve until they end: that of the launcher's start, else
 * the last build. Files that they load later, or after a crash, have to be from the same build.
 */
export function holdPages(root: string): string {
  const named = process.env[PAGES_VARIABLE];
  const folder = named ? join(root, named) : realpathSync(join(root, linkOf('pages')));
  process.env[PAGES_VARIABLE] = basename(folder);
  hold(folder, 'pages');
  return folder;
}

/** Keeps the folder of this program until the process ends, unless it runs from sources. */
export function holdPrograms(): void {
  hold(import.meta.dirname, 'programs');
}

/**
 * Programs of the same build as this one, which may no longer be the last; those of the last one for a program that runs from
 * sources.
 */
export const programsFolder = (root: string): string =>
  extname(import.meta.filename) === '.mjs' ? import.meta.dirname : join(root, linkOf('programs'));

function hold(folder: string, name: BuildName): void {
  if (!basename(folder).startsWith(`${linkOf(name)}-`)) return;
  const mark = join(folder, `${MARK}${process.pid}`);
  try {
    writeFileSync(mark, '');
    process.once('exit', () => rmSync(mark, { force: true }));
  } catch {
    // Without write permission the build is kept until the second build after it.
  }
}

/** @returns the name of the replaced folder */
function replaceLink(root: string, name: BuildName, folder: string): string {
  const link = join(root, linkOf(name));
  let before = `${linkOf(name)}-before`;
  const present = lstatSync(link, { throwIfNoEntry: false });
  if (present?.isSymbolicLink()) before = readlinkSync(link);
  else if (present) {
    // Up to 0.2, programs and help were folders instead of links.
    rmSync(join(root, before), { recursive: true, force: true });
    renameSync(link, join(root, before));
  }
  const next = join(root, `${linkOf(name)}-next`);
  rmSync(next, { force: true });
  symlinkSync(folder, next);
  renameSync(next, link);
  return before;
}

function removeUnused(root: string, name: BuildName, kept: readonly string[]): void {
  for (const folder of readdirSync(root))
    if (folder.startsWith(`${linkOf(name)}-`) && !kept.includes(folder) && !isUsed(join(root, folder)))
      rmSync(join(root, folder), { recursive: true, force: true });
}

const isUsed = (folder: string): boolean =>
  readdirSync(folder).some(
    (file) => file.startsWith(MARK) && isRunning(Number(file.slice(MARK.length)), USER),
  );
