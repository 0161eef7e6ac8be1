// The fenced blocks of the documents. The text after the language says how a block is checked (docs/decisions/help-site.md).
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Block {
  file: string;
  /** Of the opening fence. */
  line: number;
  language: string;
  /** The text after the language, such as `no-run: needs two installations`. */
  info: string;
  text: string;
}

/** Specifications are given; generated pages have blocks from elsewhere, which are checked there. */
const LEFT_OUT = /^docs\/spec\//;

/** The help's documents and the README. */
export const listDocuments = (root: string): string[] =>
  globSync(['README.md', 'docs/**/*.md'], { cwd: root })
    .filter((file) => !LEFT_OUT.test(file))
    .toSorted();

/** Followed from the first line to the last, with a browser (server/newcomer.integration.test.ts). */
export const NEWCOMERS_WAY = ['docs/guides/first-flow.md', 'docs/running/first-day.md'] as const;

/** All blocks of a document, in their order. */
export function readBlocks(root: string, file: string): Block[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, text] of lines.entries()) {
    const fence = /^ *```(\w*) ?(.*)$/.exec(text);
    if (!fence) {
      if (open) open.text += `${text}\n`;
      continue;
    }
    if (open) {
      blocks.push(open);
      open = undefined;
    } else open = { file, line: index + 1, language: fence[1] ?? '', info: fence[2] ?? '', text: '' };
  }
  return blocks;
}

const NO_RUN = /^no-run: (\S.*)$/;

/** Why a block is not run; null: it is. An empty reason is none. */
export const reasonNotToRun = ({ info }: Block): string | null => NO_RUN.exec(info)?.[1] ?? null;

export const placeOf = ({ file, line }: Block): string => `${file}:${line}`;
