import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The packages of the tools whose command has another name than the package. Next.js needs TypeScript 6, whose check is slow. */
const PACKAGES: Record<string, string> = {
  tsc: '@typescript/native',
  playwright: '@playwright/test',
};

/** Tools in Go collect garbage less often: a fifth less processor time. */
const GO = { GOGC: '400' };

export interface ToolOptions {
  /** Show the output only when the tool fails. */
  quiet?: boolean;
  /** Prefix of each line of the output, as several tools may write at the same time. */
  label?: string;
  environment?: Record<string, string>;
  timeoutSeconds?: number;
}

/**
 * Runs a tool of node_modules with this Node.
 * @throws Error with the output (when quiet) and the exit code when it fails.
 */
export async function runTool(
  root: string,
  tool: string,
  parameters: string[],
  { quiet = false, label, environment = {}, timeoutSeconds = 0 }: ToolOptions,
): Promise<void> {
  const child = spawn(process.execPath, [findScript(root, tool), ...parameters], {
    cwd: root,
    timeout: timeoutSeconds * 1000,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...GO, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    if (quiet) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    else
      createInterface({ input: stream }).on('line', (line) =>
        console.log(label ? `${label}| ${line}` : line),
      );
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code !== 0) throw new Error(`${output}${tool} ended with ${signal ?? `exit code ${code}`}`);
}

function findScript(root: string, tool: string): string {
  const name = PACKAGES[tool] ?? tool;
  const manifest = join(root, 'node_modules', name, 'package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> };
  const script = typeof bin === 'string' ? bin : bin[tool];
  if (!script) throw new Error(`${name} has no command ${tool}`);
  return createRequire(import.meta.url).resolve(join(dirname(manifest), script));
}
