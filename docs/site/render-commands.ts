import type { Argument, Command, Option } from 'commander';

const INTRODUCTION = `# Command line

\`npm run -s patchbay -- <command>\` on a clone, \`patchbay <command>\` in the image. \`patchbay <command> --help\` prints what is below.

- Commands marked with REST API work from any machine: \`PATCHBAY_URL\` (\`http://localhost:3000\` by default) and \`PATCHBAY_API_KEY\` name the
  installation. All others mean the installation on this machine, as [its settings](settings.md) name it; whoever can run them needs no sign-in.
- Commands exit with 0 when it was done, and with 1 and the reason on standard error when it was not.

This page is made from the program itself. How the commands work together: [Running Patchbay](../operations.md#the-command-line),
[Workflows in git](../guides/workflows-in-git.md).
`;

/** The page of the docs about the command line, as Markdown. */
export function renderCommands(program: Command): string {
  const everywhere = renderTable('option of every command', program.options.map(toOptionRow));
  const commands = listCommands(program, [program.name()]).map(renderCommand);
  return `${[INTRODUCTION, everywhere, ...commands].join('\n')}`;
}

interface Named {
  path: readonly string[];
  command: Command;
}

/** Executable commands: groups of commands that take nothing themselves are only a part of the name. */
function listCommands(command: Command, path: readonly string[]): Named[] {
  return command.commands.flatMap((each) => {
    const below = [...path, each.name()];
    const isCommand = each.commands.length === 0 || each.registeredArguments.length > 0;
    return [...(isCommand ? [{ path: below, command: each }] : []), ...listCommands(each, below)];
  });
}

function renderCommand({ path, command }: Named): string {
  const parameters = command.registeredArguments.map(toUsage);
  const options = command.options.length > 0 ? ['[options]'] : [];
  const rows = [
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((each): [string, string] => [toUsage(each), each.description]),
    ...command.options.map(toOptionRow),
  ];
  return [
    `## ${path.slice(1).join(' ')}\n`,
    `${toSentence(command.description())}\n`,
    `\`\`\`text\n${[...path, ...parameters, ...options].join(' ')}\n\`\`\`\n`,
    ...(rows.length > 0 ? [renderTable('argument or option', rows)] : []),
  ].join('\n');
}

const toUsage = (argument: Argument): string => {
  const name = argument.name() + (argument.variadic ? '…' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
};

const toOptionRow = ({ flags, description, mandatory }: Option): [string, string] => [
  flags,
  mandatory ? `${description} (required)` : description,
];

const renderTable = (heading: string, rows: readonly (readonly [string, string])[]): string =>
  `| ${heading} | meaning |\n|---|---|\n${rows.map(([name, what]) => `| \`${name}\` | ${toSentence(what)} |\n`).join('')}`;

const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/(?<![.)])$/, '.').replaceAll('|', '\\|');
