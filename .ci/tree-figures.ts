// The figures of `npm run lines`: lines and files of the product and of its tests and measurements, and the files that are
// imported from outside their room.
import { dirname, join } from 'node:path/posix';

export interface SourceFile {
  /** From the root of the repository. */
  path: string;
  text: string;
}

export interface Size {
  files: number;
  lines: number;
}

export interface ProductFigures extends Size {
  /** Files with fewer than 30 lines. */
  shortFiles: number;
  /** Of the files in rooms of `lib`. */
  roomFiles: number;
  /** Number of them that a file of the product outside their room imports. */
  enteredFiles: number;
}

export interface TreeFigures {
  product: ProductFigures;
  /** By category: tests, their support, browser tests, measurements, the checks themselves. */
  proof: Record<'tests' | 'test support' | 'e2e' | 'bench' | '.ci', Size>;
}

const SHORT_LINES = 30;
const PRODUCT = /^(app|components|lib|server|sandbox)\//;
const TEST = /\.test\.tsx?$/;
const TEST_SUPPORT = /(^|\/)testing\//;
/** `from '…'`, `import '…'` and `import('…')`, whatever is between the words. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g;

/** @param files TypeScript and JavaScript that git tracks, without what is generated */
export function measureTree(files: readonly SourceFile[]): TreeFigures {
  const of = (wanted: string): Size => sizeOf(files.filter(({ path }) => kindOf(path) === wanted));
  const product = files.filter(({ path }) => isProduct(path));
  const rooms = product.filter(({ path }) => roomOf(path) !== undefined);
  const entered = findEntered(product);
  return {
    product: {
      ...sizeOf(product),
      shortFiles: product.filter(({ text }) => countLines(text) < SHORT_LINES).length,
      roomFiles: rooms.length,
      enteredFiles: rooms.filter(({ path }) => entered.has(path)).length,
    },
    proof: {
      tests: of('tests'),
      'test support': of('test support'),
      e2e: of('e2e'),
      bench: of('bench'),
      '.ci': of('.ci'),
    },
  };
}

/** `product`, a category of tests and measurements, or undefined: neither. Tests of `bench` count as measurements. */
function kindOf(path: string): string | undefined {
  const folder = /^(e2e|bench|\.ci)\//.exec(path)?.[1];
  if (folder) return folder;
  if (TEST.test(path)) return 'tests';
  if (TEST_SUPPORT.test(path)) return 'test support';
  return PRODUCT.test(path) ? 'product' : undefined;
}

/** Without tests and their support. @param path from the root of the repository */
export const isProduct = (path: string): boolean => kindOf(path) === 'product';

const roomOf = (path: string): string | undefined => /^lib\/[^/]+\//.exec(path)?.[0];

/** Files of rooms that are imported from another room or from outside all rooms. */
function findEntered(product: readonly SourceFile[]): Set<string> {
  const entered = new Set<string>();
  for (const { path, text } of product)
    for (const [, specifier = ''] of text.matchAll(IMPORT)) {
      const target = resolveImport(path, specifier);
      if (target !== undefined && roomOf(target) !== roomOf(path)) entered.add(target);
    }
  return entered;
}

/** The file that is imported; undefined for a package. */
function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? join(dirname(from), specifier) : undefined;
}

const sizeOf = (files: readonly SourceFile[]): Size => ({
  files: files.length,
  lines: files.reduce((sum, { text }) => sum + countLines(text), 0),
});

/** As `wc -l` counts. */
const countLines = (text: string): number => text.split('\n').length - 1;

/** One line each. */
export function describeTree({ product, proof }: TreeFigures): string[] {
  const share = product.roomFiles === 0 ? 0 : product.enteredFiles / product.roomFiles;
  const all = Object.values(proof).reduce(
    (sum, { files, lines }) => ({ files: sum.files + files, lines: sum.lines + lines }),
    { files: 0, lines: 0 },
  );
  return [
    row('product', product),
    `  files under ${SHORT_LINES} lines: ${product.shortFiles}`,
    `  files of lib imported from outside their room: ${product.enteredFiles} of ${product.roomFiles} (${Math.round(share * 100)} %)`,
    row('proof', all),
    ...Object.entries(proof).map(([name, size]) => row(`  ${name}`, size)),
  ];
}

const row = (name: string, { files, lines }: Size): string =>
  `${name.padEnd(16)}${lines.toLocaleString('en').padStart(8)} lines in ${files.toLocaleString('en').padStart(5)} files`;
