import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.ts';
import { type BuildName, makeBuild } from './builds.ts';
import { bundlePrograms } from './bundle.ts';
import { compressStatic, QUICK } from './compress-static.ts';
import { LaunchError } from './launch-error.ts';
import { isFresh } from './sources.mjs';

type Say = (line: string) => void;

interface Making {
  root: string;
  /** The output folder; it does not exist yet. */
  folder: string;
  say: Say;
  cancelled: AbortSignal;
}

/** Files that Next writes to its output folder for itself, for types and for other tools; all others are served. */
const NOT_SERVED = /^(build|cache|dev|diagnostics|lock|trace|trace-build|turbopack|types)$/;

/** In build order. */
const MAKE: Record<BuildName, (making: Making) => Promise<void>> = {
  async pages({ root, folder, say, cancelled }) {
    say('Building (after each update; about a minute)');
    await runTool(root, ['next', 'dist', 'bin', 'next'], ['build'], cancelled);
    // Next always builds in the same folder, with its cache and the folders of development and types.
    const built = join(root, '.next');
    mkdirSync(folder);
    for (const name of readdirSync(built))
      if (!NOT_SERVED.test(name)) renameSync(join(built, name), join(folder, name));
    await compressStatic(join(folder, 'static'));
  },
  async programs({ root, folder, say, cancelled }) {
    say('Bundling the programs');
    await bundlePrograms(root, folder).catch((cause: unknown) => {
      throw new LaunchError(`${String(cause)}\nThe programs could not be bundled; the reason is above.`, {
        cause,
      });
    });
    cancelled.throwIfAborted();
  },
  async help({ root, folder, say, cancelled }) {
    say('Building the help');
    const parameters = ['build', 'docs', '--outDir', folder];
    await runTool(root, ['vitepress', 'bin', 'vitepress.js'], parameters, cancelled);
    await compressStatic(folder, QUICK);
  },
};
const ALL = Object.keys(MAKE) as BuildName[];

/**
 * Builds the pages, the programs' bundles and the help, or only the named ones, each unless the last build has the same
 * sources. Waits for another process that builds in this clone.
 */
export async function buildIfNeeded(
  root: string,
  say: Say,
  cancelled: AbortSignal,
  names: readonly BuildName[] = ALL,
): Promise<void> {
  if (names.every((name) => isFresh(root, name))) return;
  await withBuildLock(root, cancelled, async () => {
    for (const name of names)
      if (!isFresh(root, name))
        await makeBuild(root, name, (folder) => MAKE[name]({ root, folder, say, cancelled }));
  });
}

/** Runs a program of a package; its output is only shown if it fails. */
async function runTool(
  root: string,
  program: readonly string[],
  parameters: readonly string[],
  cancelled: AbortSignal,
): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'node_modules', ...program), ...parameters], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const cancel = () => child.kill();
  cancelled.addEventListener('abort', cancel);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-20_000)));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  cancelled.removeEventListener('abort', cancel);
  cancelled.throwIfAborted();
  if (code === 0) return;
  throw new LaunchError(
    `${output}\nThe build failed (${signal ?? `exit code ${code}`}); the reason is above.`,
  );
}
