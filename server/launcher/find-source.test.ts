import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { findSources, type SourceMap as MapFile } from './find-source.ts';

test('places in a bundle are found in the sources, as Node finds them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-source-'));
  try {
    writeFileSync(
      join(folder, 'a.ts'),
      `import { b } from './b.ts';\n\nexport type T = 1;\nconsole.log(b(() => {\n  throw new Error('x');\n}));\n`,
    );
    writeFileSync(
      join(folder, 'b.ts'),
      `// A comment.\nexport function b(f: () => void) {\n  return f();\n}\n`,
    );
    const outfile = join(folder, 'out.mjs');
    await build({
      entryPoints: [join(folder, 'a.ts')],
      bundle: true,
      format: 'esm',
      outfile,
      sourcemap: 'linked',
    });
    const map = JSON.parse(readFileSync(`${outfile}.map`, 'utf8')) as MapFile &
      ConstructorParameters<typeof SourceMap>[0];
    const nodes = new SourceMap(map);
    const lines = readFileSync(outfile, 'utf8').split('\n');
    const wanted = lines.flatMap((text, line) => [...text].map((_, column) => [line, column] as const));
    // In another order than that of the file.
    const places = wanted.map(([line, column]) => ({ line: line + 1, column: column + 1 })).toReversed();
    const found = findSources(map, places).toReversed();
    let compared = 0;
    for (const [place, [line, column]] of wanted.entries()) {
      const { generatedLine, originalSource, originalLine, originalColumn } = nodes.findEntry(
        line,
        column,
      ) as {
        generatedLine?: number;
        originalSource?: string;
        originalLine?: number;
        originalColumn?: number;
      };
      // Node uses the last position of an earlier line where the line itself has none.
      if (originalSource === undefined || generatedLine !== line) continue;
      compared += 1;
      expect(found[place]).toEqual({
        file: originalSource,
        line: Number(originalLine) + 1,
        column: Number(originalColumn) + 1,
      });
    }
    expect(compared).toBeGreaterThan(50);
    expect(findSources(map, [{ line: lines.length + 5, column: 1 }])).toEqual([null]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
