// Assembles the content of the image (Dockerfile): the builds, and of the packages only the files in Next's build traces.
// Argument: the folder to fill, with one folder a layer: `node`, `modules`, `app`. Node and packages change rarely, so their
// files all have one date: an upgrade downloads only what is new.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  lutimesSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import * as z from 'zod';
import { buildIfNeeded } from '../launcher/build.ts';
import type { BuildName } from '../launcher/builds.ts';
import { BUILDS, linkOf } from '../launcher/sources.mjs';
import { root } from '../root.ts';

const BUILT = (Object.keys(BUILDS) as BuildName[]).map(linkOf);
/** Whole folders and files. */
const WHOLE = [...BUILT, 'public', 'package.json', 'next.config.mjs', 'LICENSE'];
/** Next's traces, which are used below, and marker files of processes that use the build. */
const LEFT_OUT = /\.nft\.json$|\/used-by-\d+$/;
/** Entry point of Next for other programs (server/pages.ts): Next's traces do not include it. */
const NEXT = 'node_modules/next/dist/server/next.js';
/** Files that Next loads dynamically, so that they are in no trace. */
const NEXT_COMPILED = [
  'node_modules/next/dist/compiled/webpack',
  'node_modules/next/dist/compiled/@babel/runtime/package.json',
];
/** For development, for building, or for resizing images, which next.config.mjs disables. */
const NOT_NEEDED =
  /\.dev\.js$|\.map$|^node_modules\/(sharp|@img)\/|^node_modules\/next\/dist\/(docs\/|compiled\/next-devtools\/|server\/capsize-font-metrics\.json$)/;
/** Date of files that rarely change with an upgrade of Patchbay. */
const ONE_DATE = new Date('2026-01-01T00:00:00Z');

const traceSchema = z.object({ files: z.array(z.string()) });

const [target] = process.argv.slice(2);
if (!target) throw new Error('Usage: node server/image/assemble.ts <folder>');
const [node, modules, app] = ['node', 'modules', 'app'].map((layer) => join(resolve(target), layer)) as [
  string,
  string,
  string,
];

await buildIfNeeded(root, (line) => void process.stdout.write(`${line}\n`), new AbortController().signal);
for (const name of WHOLE) if (existsSync(join(root, name))) copyWhole(name, app);
for (const name of NEXT_COMPILED) copyWhole(name, modules);
const { fileList } = await nodeFileTrace([join(root, NEXT)], { base: root });
for (const file of new Set([...tracedFiles(), ...fileList])) {
  if (!file.startsWith('node_modules') || NOT_NEEDED.test(file)) continue;

  mkdirSync(dirname(join(modules, file)), { recursive: true });
  copyFileSync(join(root, file), join(modules, file));
}
mkdirSync(join(node, 'bin'), { recursive: true });
copyFileSync(process.execPath, join(node, 'bin', 'node'));
chmodSync(join(node, 'bin', 'node'), 0o755);
for (const layer of [node, modules])
  for (const name of ['.', ...globSync('**', { cwd: layer })])
    lutimesSync(join(layer, name), ONE_DATE, ONE_DATE);

function copyWhole(name: string, layer: string): void {
  // A build is a link to its folder; links in it stay unchanged.
  cpSync(realpathSync(join(root, name)), join(layer, name), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !LEFT_OUT.test(path),
  });
}

/** Files of packages, relative to the project's folder. */
function tracedFiles(): Set<string> {
  const pages = realpathSync(join(root, linkOf('pages')));
  const traces = globSync('**/*.nft.json', { cwd: pages });
  const files = traces.flatMap((trace) => {
    const { files: listed } = traceSchema.parse(JSON.parse(readFileSync(join(pages, trace), 'utf8')));
    return listed.map((file) => relative(root, resolve(pages, dirname(trace), file)));
  });
  return new Set(
    files.filter((file) => file.startsWith(`node_modules${sep}`) && statSync(join(root, file)).isFile()),
  );
}
