// No server code reaches the browser: follows all imports of components, except types. Part of the step "lint" of `npm test`.
import { globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { build, type Metafile } from 'esbuild';
import { TEST_FILES } from '../../.dependency-cruiser.mjs';

const WHAT_TO_DO =
  'A component loads this through the imports that are listed: import only its types, or move what the component ' +
  'needs into a file of lib that needs no server.';
/** Only `next-auth/react` is for the browser. */
const SERVER_LIBRARY = /^(drizzle-orm|pg|next-auth(?!\/react$)|pino|undici)(\/|$)/;

/** @throws Error that shows the import chain from a component to each server module, and the fix. */
export async function assertBrowserImports(root: string): Promise<void> {
  const components = globSync('components/**/*.{ts,tsx}', { cwd: root });
  const isTest = new RegExp(TEST_FILES);
  const chains = await findServerImports(
    root,
    components.filter((file) => !isTest.test(file)),
  );
  if (chains.length === 0) return;
  const lines = chains.map((chain) => `  ${chain.join(' → ')}`);
  throw new Error(`nothing-of-the-server-reaches-the-browser\n${lines.join('\n')}\n${WHAT_TO_DO}`);
}

/** @returns the shortest import chain to each server module that is reached, starting with a given file. */
async function findServerImports(root: string, files: readonly string[]): Promise<string[][]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files.map((file) => `./${file}`),
    outdir: '.',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    loader: { '.css': 'empty' },
    logLevel: 'silent',
  });
  return followImports(metafile, files);
}

function followImports({ inputs }: Metafile, files: readonly string[]): string[][] {
  const reached = new Map<string, string[]>(files.map((file) => [file, [file]]));
  const found: string[][] = [];
  for (const [file, chain] of reached)
    for (const { path } of inputs[file]?.imports ?? []) {
      if (reached.has(path)) continue;
      reached.set(path, [...chain, path]);
      if (isBuiltin(path) || SERVER_LIBRARY.test(path)) found.push([...chain, path]);
    }
  return found;
}
