const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Format of ECMA-426; esbuild writes no sections. */
export interface SourceMap {
  sources: string[];
  mappings: string;
}

export interface SourcePlace {
  file: string;
  line: number;
  column: number;
}

/**
 * The positions in the sources of positions in the generated file; lines and columns count from 1. Null: the file has no such line.
 * The mappings are decoded once, up to the last of them, without storing any: about 20 ms for a bundle of 2 MB.
 */
export function findSources(
  map: SourceMap,
  wanted: readonly { line: number; column: number }[],
): (SourcePlace | null)[] {
  const found = wanted.map((): SourcePlace | null => null);
  const inOrder = [...wanted.entries()].sort(([, a], [, b]) => a.line - b.line || a.column - b.column);
  const lines = map.mappings.split(';', inOrder.at(-1)?.[1].line ?? 0);
  let next = inOrder.shift();
  let [file, sourceLine, sourceColumn] = [-1, 0, 0];
  /** Of those in the line whose segments up to the column are read. */
  const note = (line: number, column: number): void => {
    for (; next && next[1].line === line && next[1].column <= column; next = inOrder.shift())
      if (file >= 0)
        found[next[0]] = { file: map.sources[file] ?? '', line: sourceLine + 1, column: sourceColumn + 1 };
  };
  for (const [index, segments] of lines.entries()) {
    let generatedColumn = 0;
    for (const segment of segments.split(',')) {
      const [columns = 0, files, sourceLines = 0, sourceColumns = 0] = decode(segment);
      generatedColumn += columns;
      if (files === undefined) continue;
      note(index + 1, generatedColumn);
      file = Math.max(file, 0) + files;
      sourceLine += sourceLines;
      sourceColumn += sourceColumns;
    }
    note(index + 1, Infinity);
  }
  return found;
}

/** Base64 VLQ: five bits a digit, the sixth is set if more follow; the lowest bit of the number is its sign. */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return numbers;
}
