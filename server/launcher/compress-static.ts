import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

interface Effort {
  brotli: number;
  gzip: number;
}

const SMALLEST: Effort = { brotli: constants.BROTLI_MAX_QUALITY, gzip: constants.Z_BEST_COMPRESSION };
/** A hundredth of the time for files that are a tenth larger: for rarely read pages. */
export const QUICK: Effort = { brotli: 5, gzip: 6 };

const compressors = {
  br: (content: Buffer, { brotli }: Effort) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: brotli,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gz: (content: Buffer, effort: Effort) => promisify(gzip)(content, { level: effort.gzip }),
};

/**
 * Writes `.br` and `.gz` beside the build's files for browsers, so that no request waits for compression.
 * `server/static-files.ts` serves them.
 */
export async function compressStatic(folder: string, effort = SMALLEST): Promise<void> {
  for (const path of globSync('**/*.{js,css,html}', { cwd: folder })) {
    const content = await readFile(join(folder, path));
    for (const [ending, compress] of Object.entries(compressors))
      await writeFile(join(folder, `${path}.${ending}`), await compress(content, effort));
  }
}
