// `patchbay export events|runs|messages`: writes a span of time into a file, or to standard output.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reasonOf } from '#lib/core/errors.ts';
import { type ExportFormat, type ExportKind, RowCounter } from '#lib/exports/export-format.ts';
import type { Output } from '../output.ts';
import { type Api, ApiError, take } from './api.ts';

export interface ExportHistoryOptions {
  from?: string;
  to?: string;
  format: ExportFormat;
  out?: string;
}

const ROWS_A_LINE = 10_000;

/**
 * Writes the file under another name until it is complete. Without `out` the rows go to standard output, and nothing else does.
 * @throws ApiError when the export was refused or broke off: then there is no file
 */
export async function exportHistory(
  api: Api,
  kind: ExportKind,
  { from, to, format, out }: ExportHistoryOptions,
  output: Output,
): Promise<void> {
  const query = { format, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const content = await take(
    api,
    api.client.GET(`/export/${kind}`, { params: { query }, parseAs: 'stream' }),
  );
  const rows = new RowCounter(format);
  const source = Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0]);
  const pour = (sink: Writable): Promise<void> => pourInto(sink, source, rows, countRows(rows, output));
  if (out === undefined) {
    await pour(process.stdout);
    output.say(`${rows.rows} rows.`);
    return;
  }
  const target = resolve(out);
  const partial = `${target}.partial`;
  try {
    await pour(createWriteStream(partial));
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  output.give({ file: target, rows: rows.rows }, [`${rows.rows} rows → ${target}`]);
}

/** The process's own standard output stays open, and its reader may stop early, like `head`. */
async function pourInto(to: Writable, from: Readable, rows: RowCounter, counting: Transform): Promise<void> {
  try {
    await pipeline(from, counting, to, { end: to !== process.stdout });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (to === process.stdout && code === 'EPIPE') return;
    if (syscall === 'open' || syscall === 'write') throw error;
    throw new ApiError(
      `The export broke off after ${rows.rows} rows (${reasonOf(error)}). Try again, or export a shorter time.`,
      undefined,
      { cause: error },
    );
  }
}

/** Passes everything on, and says now and then how much it was. */
function countRows(counter: RowCounter, output: Output): Transform {
  let said = 0;
  return new Transform({
    transform(part: Uint8Array, _encoding, done) {
      counter.add(part);
      if (counter.rows - said >= ROWS_A_LINE) {
        said = counter.rows;
        output.say(`${said} rows …`);
      }
      done(null, part);
    },
  });
}
