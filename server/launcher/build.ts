import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compressStatic } from './compress-static.ts';
import { LaunchError } from './launch-error.ts';

/** What `next build` is made from; tests make no difference to it, and tsconfig.json it may rewrite itself. */
const SOURCES = [
  '{app,components,lib}/**/*.{ts,tsx,css,json,md,svg,png,ico,woff2}',
  '{next.config,postcss.config,proxy,instrumentation,package,package-lock}.{ts,mjs,js,json}',
];

/** Runs `next build` unless the last one was made from the same sources (by content, not by date). */
export async function buildIfNeeded(
  root: string,
  say: (line: string) => void,
  cancelled: AbortSignal,
): Promise<void> {
  const stampFile = join(root, '.next', 'patchbay-sources');
  const stamp = hashSources(root);
  const built = existsSync(join(root, '.next', 'BUILD_ID')) && existsSync(stampFile);
  if (built && readFileSync(stampFile, 'utf8') === stamp) return;
  say('Building (after each update; about a minute)');
  await runNextBuild(root, cancelled);
  await compressStatic(join(root, '.next', 'static'));
  writeFileSync(stampFile, stamp);
}

/** A hash over the names and contents of all sources. */
export function hashSources(root: string): string {
  const hash = createHash('sha256');
  const paths = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort();
  for (const path of paths) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function runNextBuild(root: string, cancelled: AbortSignal): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules', 'next', 'dist', 'bin', 'next'), 'build'],
    {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
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
