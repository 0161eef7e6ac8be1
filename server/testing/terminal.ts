// A terminal in which the commands of the documents are run like by a reader, one block after another.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

export interface TerminalOptions {
  /** Folder of the first command. */
  folder: string;
  /** Folder for the terminal's state between blocks. */
  place: string;
  /** The clone of the `patchbay` command. */
  root: string;
  environment: NodeJS.ProcessEnv;
  /** Replacements of values in the documents, such as an address with the default port. */
  replacements: readonly (readonly [written: string, meant: string])[];
}

const DEADLINE_MS = 180_000;

/** A process that runs until it is interrupted, as by Ctrl-C. */
export interface Service {
  interrupt: () => Promise<void>;
}

/**
 * Exported variables and the folder of a block are kept for the next one. `<production_url>` is replaced by that value of the
 * last response, which a reader would copy.
 */
export class Terminal {
  readonly #options: TerminalOptions;
  readonly #state: string;
  readonly #known = new Map<string, string>();

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#state = join(mkdtempSync(join(options.place, 'terminal-')), 'state');
  }

  /** A value that a reader would have copied from a screen. */
  copy(name: string, value: string): void {
    this.#known.set(name, value);
  }

  /**
   * Runs a block.
   * @param expected the documented output; `…` matches anything, each line may be a part of one @throws Error with the output,
   * if a command fails, a request is unexpectedly refused, or the output differs
   */
  async run(text: string, expected?: string): Promise<string> {
    const { code, output } = await this.#execute(this.#fillIn(text));
    const failure = (why: string): Error => new Error(`${why}\n\n$ ${text}\n${output}`);
    if (code !== 0) throw failure(`The commands ended with ${code}.`);
    if (expected === undefined && /"error":\s*\{/.test(output)) throw failure('The request was refused.');
    const missing = findMissingLine(output, expected ?? '');
    if (missing !== null) throw failure(`This is not printed: ${missing}`);
    for (const [, name = '', value = ''] of [...output.matchAll(/"(\w+)":\s*"([^"\\]*)"/g)].toReversed())
      this.#known.set(name, value);
    return output;
  }

  /** Starts the program in a block's last line, and leaves it running. @param ready the line that it prints when it is ready */
  async serve(text: string, ready: string): Promise<Service> {
    const lines = text.trimEnd().split('\n');
    if (lines.length > 1) await this.run(lines.slice(0, -1).join('\n'));
    const child = this.#spawn(this.#fillIn(`exec ${lines.at(-1) ?? ''}`));
    let output = '';
    const ended = once(child, 'close');
    const { promise: isReady, resolve, reject } = Promise.withResolvers<void>();
    const deadline = setTimeout(() => reject(new Error(`Not ready in time.\n${output}`)), DEADLINE_MS);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        output += part;
        if (output.includes(ready)) resolve();
      });
    void ended.then(() => reject(new Error(`It ended before it was ready.\n${output}`)));
    const interrupt = async (): Promise<void> => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGINT');
      await ended;
    };
    try {
      await isReady;
    } catch (error) {
      await interrupt();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
    return { interrupt };
  }

  #fillIn(text: string): string {
    const filled = text.replace(/<([a-z_]+)>/g, (whole, name: string) => {
      const value = this.#known.get(name);
      if (value === undefined) throw new Error(`Nothing above says what ${whole} is:\n${text}`);
      return value;
    });
    return this.#options.replacements.reduce(
      (all, [written, meant]) => all.replaceAll(written, meant),
      filled,
    );
  }

  async #execute(text: string): Promise<{ code: number; output: string }> {
    const child = this.#spawn(`${text}\n{ export -p; printf 'cd "%s"\\n' "$PWD"; } > "${this.#state}"`);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (output += part));
    const deadline = setTimeout(() => child.kill(), DEADLINE_MS);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(deadline);
    return { code: code ?? -1, output: output.replaceAll('\r\n', '\n') };
  }

  /** With the state of earlier blocks. It leads a process group, like programs started from a terminal. */
  #spawn(text: string): ChildProcessByStdio<null, Readable, Readable> {
    const { folder, root, environment } = this.#options;
    const script = [
      `patchbay() { "${process.execPath}" "${join(root, '.programs', 'patchbay.mjs')}" "$@"; }`,
      existsSync(this.#state) ? `. "${this.#state}"` : `cd "${folder}"`,
      'set -e -o pipefail',
      text,
    ].join('\n');
    const file = `${this.#state}.sh`;
    writeFileSync(file, script);
    return spawn('bash', [file], { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  }
}

/** The first line that is not printed after the previous one. */
function findMissingLine(output: string, expected: string): string | null {
  let rest = output;
  for (const line of expected.split('\n').filter((each) => each.trim() !== '')) {
    const pattern = line.trim().split('…').map(escapeRegExp).join('[^\\n]*');
    const found = new RegExp(pattern).exec(rest);
    if (!found) return line;
    rest = rest.slice(found.index + found[0].length);
  }
  return null;
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
