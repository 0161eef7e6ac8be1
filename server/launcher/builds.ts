// Where builds lie: each in a folder that is never written to again, such as `.pages-<hash of its sources>`, and `.pages` is a link to
// the last one. All lie as deep as `.next` and `server`, so that paths from them to packages and sources stay right.
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

/** Names the folder of pages: for processes that a launcher starts, and for next.config.mjs. */
const PAGES_VARIABLE = 'PATCHBAY_PAGES';
/** What marks a folder as used by a process, whose id follows. */
const MARK = 'used-by-';
/** Another program may have got the process id of one that ended. */
const USER = /node/i;

/**
 * Makes a build aside and puts it in the place of the one before, at once. What runs from an earlier one is not disturbed. One that
 * is still there is not made again.
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
 * The folder of the pages that this process and those it starts serve until they end: those its launcher started with, else the last
 * build. What they load later, or after a crash, has to be of the same build.
 */
export function holdPages(root: string): string {
  const named = process.env[PAGES_VARIABLE];
  const folder = named ? join(root, named) : realpathSync(join(root, linkOf('pages')));
  process.env[PAGES_VARIABLE] = basename(folder);
  hold(folder, 'pages');
  return folder;
}

/** The folder of this program itself stays until the process ends, unless it runs from its sources. */
export function holdPrograms(): void {
  hold(import.meta.dirname, 'programs');
}

/** Programs of the same build as this one, which may no longer be the last; of the last one for a program that runs from its sources. */
export const programsFolder = (root: string): string =>
  extname(import.meta.filename) === '.mjs' ? import.meta.dirname : join(root, linkOf('programs'));

function hold(folder: string, name: BuildName): void {
  if (!basename(folder).startsWith(`${linkOf(name)}-`)) return;
  const mark = join(folder, `${MARK}${process.pid}`);
  try {
    writeFileSync(mark, '');
    process.once('exit', () => rmSync(mark, { force: true }));
  } catch {
    // An account that may not write here: the build stays as long as no more than one is made after it.
  }
}

/** @returns the name of the folder that was in its place */
function replaceLink(root: string, name: BuildName, folder: string): string {
  const link = join(root, linkOf(name));
  let before = `${linkOf(name)}-before`;
  const present = lstatSync(link, { throwIfNoEntry: false });
  if (present?.isSymbolicLink()) before = readlinkSync(link);
  else if (present) {
    // Up to 0.2, programs and help were in the place of their links.
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
