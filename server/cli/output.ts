// The output of commands: lines for people, or one JSON value for programs.

export interface Output {
  /** Progress, for people only; on standard error, so that results can be piped. */
  say: (line: string) => void;
  /** The result. @param lines the same for people */
  give: (value: unknown, lines: readonly string[]) => void;
  /** One of several results: one line of JSON each. @returns whether the output is still being read */
  line: (value: unknown, text: string) => boolean;
}

/** Prints nothing: what is wrong is thrown. */
export const quiet: Output = { say: () => undefined, give: () => undefined, line: () => true };

/** @param json `--json` was given */
export const createOutput = (json: boolean): Output => {
  if (!process.stdout.listeners('error').includes(ignoreClosedPipe))
    process.stdout.on('error', ignoreClosedPipe);
  return {
    say: (line) => {
      if (!json) process.stderr.write(`${line}\n`);
    },
    give: (value, lines) => {
      process.stdout.write(
        json ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${line}\n`).join(''),
      );
    },
    line: (value, text) => {
      process.stdout.write(`${json ? JSON.stringify(value) : text}\n`);
      return process.stdout.writable;
    },
  };
};

/** The reader of the output may stop early, like `head`: that is not a failure of the command. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
