// The sources of the builds. Plain JavaScript without packages: server/bootstrap.mjs uses it, too, on any Node.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {object} Build
 * @property {string[]} folders
 * @property {RegExp} files which files in these folders
 * @property {string[]} rootFiles those that exist in the project's folder itself
 */

/** The builds. Tests and their support (folders named testing) do not affect them, and tsconfig.json may be rewritten by Next. */
export const BUILDS = /** @type {const} @satisfies {Record<string, Build>} */ ({
  /** Next's build of pages, actions and the API. */
  pages: {
    folders: ['app', 'components', 'lib'],
    files: /\.(tsx?|css|json|md|svg|png|ico|woff2)$/,
    rootFiles: [
      'next.config.mjs',
      'postcss.config.mjs',
      'proxy.ts',
      'package.json',
      'package-lock.json',
      'server/launcher/compress-static.ts',
    ],
  },
  /** The bundles of launcher, web, worker and sandbox, and the migrations (server/launcher/bundle.ts). */
  programs: {
    folders: ['lib', 'server', 'sandbox', 'drizzle'],
    files: /./,
    rootFiles: ['package.json', 'package-lock.json'],
  },
  /** The help: VitePress over the documents (docs/site). */
  help: {
    folders: ['docs', 'bench', 'lib', 'ops', 'sandbox'],
    files: /\.md$|^docs\/.+\.(svg|png|css|ts)$/,
    rootFiles: ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'package.json', 'package-lock.json'],
  },
});

/**
 * Builds that are required for starting Patchbay. The help is built once it runs (server/launcher/make-help.ts).
 * @type {readonly (keyof typeof BUILDS)[]}
 */
export const NEEDED_TO_START = ['pages', 'programs'];

/** The launcher's sources, and its bundle. */
export const LAUNCHER = { sources: 'server/start.ts', bundle: '.programs/start.mjs' };

/** The same of the command line. */
export const COMMANDS = { sources: 'server/patchbay.ts', bundle: '.programs/patchbay.mjs' };

/** Exit code of a launcher that runs from sources after it has built (EX_TEMPFAIL): the bundle can be started. */
export const BUILT_EXIT_CODE = 75;

/**
 * A hash over the names and contents of all sources of a build.
 * @param {string} root
 * @param {keyof typeof BUILDS} name
 */
export function hashSources(root, name) {
  const { folders, files, rootFiles } = BUILDS[name];
  const hash = createHash('sha256');
  const listed = folders.flatMap((folder) => listFiles(root, folder)).filter((path) => files.test(path));
  for (const path of [...listed, ...rootFiles.filter((file) => existsSync(join(root, file)))].sort()) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * The path of the last build: a link to its folder (server/launcher/builds.ts), or the folder itself in an image.
 * @param {keyof typeof BUILDS} name
 */
export const linkOf = (name) => `.${name}`;

/**
 * The folder of the build of the current sources.
 * @param {string} root
 * @param {keyof typeof BUILDS} name
 */
export const folderFor = (root, name) => `${linkOf(name)}-${hashSources(root, name).slice(0, 16)}`;

/**
 * Whether the last build is of the current sources, by content, not by date.
 * @param {string} root
 * @param {keyof typeof BUILDS} name
 */
export function isFresh(root, name) {
  const link = join(root, linkOf(name));
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() || !existsSync(link)) return false;
  return readlinkSync(link) === folderFor(root, name);
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : listFiles(root, path);
    return /\.test\.tsx?$/.test(path) ? [] : [path];
  });
}
