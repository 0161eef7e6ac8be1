// Every block of the documents is checked: here those that need no product, and that no block is left unchecked. Shell blocks
// are run by server/docs.integration.test.ts and server/newcomer.integration.test.ts.
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { type Block, listDocuments, placeOf, readBlocks, reasonNotToRun } from './testing/read-blocks.ts';

const root = join(import.meta.dirname, '..');
const blocks = listDocuments(root).flatMap((file) => readBlocks(root, file));
const of = (language: string): [string, Block][] =>
  blocks.filter((block) => block.language === language).map((block) => [placeOf(block), block]);

/** Languages that are checked, and the text allowed after them. */
const CHECKED: Readonly<Record<string, RegExp>> = {
  sh: /^(?:service|)$/,
  output: /^$/,
  json: /^(?:settings of \w+)?$/,
  ts: /^$/,
  /** Text to read or to copy, such as an address: it cannot be run. */
  text: /^$/,
};

test('every block is of a kind that is checked, or says why it is not run', () => {
  expect(blocks.length).toBeGreaterThan(20);
  const unchecked = blocks
    .filter((block) => reasonNotToRun(block) === null && !CHECKED[block.language]?.test(block.info))
    .map((block) => `${placeOf(block)}: ${block.language} ${block.info}`);
  expect(unchecked).toEqual([]);
});

test('an output stands below the commands that print it', () => {
  const lonely = blocks.filter(
    ({ language, file }, index) =>
      language === 'output' && (blocks[index - 1]?.language !== 'sh' || blocks[index - 1]?.file !== file),
  );
  expect(lonely.map(placeOf)).toEqual([]);
});

describe('JSON can be read', () => {
  test.each(of('json'))('%s', (_place, { text, info }) => {
    const value: unknown = JSON.parse(text);
    const type = /^settings of (\w+)$/.exec(info)?.[1];
    if (type === undefined) return;
    const definition = findTaskDefinition(type);
    if (!definition) throw new Error(`There is no task type ${type}`);
    expect(checkSettings(definition, value, 'publish').problems).toEqual([]);
  });
});

test('TypeScript has the types that it uses', () => {
  const problems = of('ts').flatMap(([place, { text }]) =>
    typeErrors(text).map((each) => `${place}: ${each}`),
  );
  expect(problems).toEqual([]);
}, 120_000);

/** As a file in the project's folder; names that a block leaves undefined are declared. */
function typeErrors(text: string): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const file = join(root, 'block-of-a-document.ts');
  const source = `${text}\nexport {};\ndeclare global { const apiKey: string; const id: string; }\n`;
  const compilerOptions = { ...options, noUnusedLocals: false, incremental: false, plugins: [] };
  const host = ts.createCompilerHost(compilerOptions);
  const base = { ...host };
  host.readFile = (path) => (path === file ? source : base.readFile(path));
  host.fileExists = (path) => path === file || base.fileExists(path);
  host.getSourceFile = (path, languageVersion, ...rest) =>
    path === file
      ? ts.createSourceFile(path, source, languageVersion, true)
      : base.getSourceFile(path, languageVersion, ...rest);
  const program = ts.createProgram([file], compilerOptions, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
