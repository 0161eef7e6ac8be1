import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { renderCommands } from './site/render-commands.ts';

test('docs/reference/cli.md is what the program says: `npm run generate` writes it', async () => {
  await expect(renderCommands(await readProgram())).toMatchFileSnapshot('reference/cli.md');
});

/** The program with all its commands, which is not run. */
async function readProgram(): Promise<Command> {
  const parse = vi.spyOn(Command.prototype, 'parseAsync').mockImplementation(async function (this: Command) {
    return this;
  });
  try {
    await import('../server/patchbay.ts');
    const [program] = parse.mock.contexts;
    if (!(program instanceof Command)) throw new Error('server/patchbay.ts has parsed no arguments.');
    return program;
  } finally {
    parse.mockRestore();
  }
}
