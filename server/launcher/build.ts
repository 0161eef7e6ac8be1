import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms } from './bundle.ts';
import { compressStatic, QUICK } from './compress-static.ts';
import { LaunchError } from './launch-error.ts';
import { BUILDS, hashSources, isFresh } from './sources.mjs';

type Say = (line: string) => void;

/** Makes the pages and the programs' bundles, each unless it was last made from the same sources. */
export async function buildIfNeeded(root: string, say: Say, cancelled: AbortSignal): Promise<void> {
  await makeIfStale(root, 'pages', async () => {
    say('Building (after each update; about a minute)');
    await runTool(root, ['next', 'dist', 'bin', 'next'], ['build'], cancelled);
    await compressStatic(join(root, '.next', 'static'));
  });
  await makeIfStale(root, 'help', async () => {
    say('Building the help');
    await runTool(root, ['vitepress', 'bin', 'vitepress.js'], ['build', 'docs'], cancelled);
    await compressStatic(join(root, '.help'), QUICK);
  });
  await makeIfStale(root, 'programs', async () => {
    say('Bundling the programs');
    await bundlePrograms(root).catch((cause: unknown) => {
      throw new LaunchError(`${String(cause)}\nThe programs could not be bundled; the reason is above.`, {
        cause,
      });
    });
    cancelled.throwIfAborted();
  });
}

async function makeIfStale(
  root: string,
  name: keyof typeof BUILDS,
  make: () => Promise<void>,
): Promise<void> {
  if (isFresh(root, name)) return;
  const stamp = hashSources(root, name);
  await make();
  writeFileSync(join(root, BUILDS[name].stamp), stamp);
}

/** Runs a program of a package; what it says is shown only if it fails. */
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
