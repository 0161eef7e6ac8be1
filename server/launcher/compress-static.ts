import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressors = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gz: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/**
 * Writes `.br` and `.gz` beside what the build made for browsers, as small as they get, once: no request waits for it.
 * `server/static-files.ts` serves them.
 */
export async function compressStatic(folder: string): Promise<void> {
  for (const path of globSync('**/*.{js,css}', { cwd: folder })) {
    const content = await readFile(join(folder, path));
    for (const [ending, compress] of Object.entries(compressors))
      await writeFile(join(folder, `${path}.${ending}`), await compress(content));
  }
}
