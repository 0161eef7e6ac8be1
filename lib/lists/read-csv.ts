// Rows of a CSV file, one after the other in constant memory.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CsvError, type Options, parse } from 'csv-parse';
import { AppError } from '#lib/core/errors.ts';
import { MAX_COLUMNS, MAX_LIST_BYTES } from './schema.ts';

/** Longest record: a quote that is never closed does not collect the rest of the file. */
const MAX_RECORD_BYTES = 128 * 1024;
const DELIMITERS = [',', ';', '\t'];
/** The delimiter is found in the beginning. */
const SNIFFED_BYTES = 64 * 1024;

/** A row with the line on which it begins. */
export interface ReadRow {
  line: number;
  values: unknown[];
}

export interface ReadList {
  columns: string[];
  rows: AsyncIterable<ReadRow>;
  /** Releases what the rows are read from. */
  close: () => Promise<void>;
}

/**
 * The names of the columns from the first line, and the rows below it. Values are separated by commas, semicolons or tabs.
 * @param bytes UTF-8, with or without a byte order mark
 * @throws AppError `invalid_request`, here and while rows are read, with line and column; `body_too_large`
 */
export async function readCsv(bytes: AsyncIterable<Uint8Array>): Promise<ReadList> {
  const file = await receive(bytes);
  const close = (): Promise<void> => file.close();
  try {
    const { columns, rows } = await readFrom(file);
    return { columns, rows, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The whole file, without a name: rows are stored in one transaction, which must not wait for a slow sender. */
async function receive(bytes: AsyncIterable<Uint8Array>): Promise<FileHandle> {
  const path = join(tmpdir(), `patchbay-list-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    let total = 0;
    for await (const chunk of bytes) {
      total += chunk.byteLength;
      if (total > MAX_LIST_BYTES)
        throw new AppError(
          'body_too_large',
          `A list has at most ${MAX_LIST_BYTES / 1024 / 1024} MB. Divide the file.`,
        );
      await file.write(chunk);
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readFrom(file: FileHandle): Promise<Omit<ReadList, 'close'>> {
  const chunks = decode(file.createReadStream({ start: 0, autoClose: false }))[Symbol.asyncIterator]();
  let beginning = '';
  let isWhole = false;
  while (!isWhole && beginning.length < SNIFFED_BYTES && !beginning.includes('\n')) {
    const next = await chunks.next();
    if (next.done === true) isWhole = true;
    else beginning += next.value;
  }
  async function* all(): AsyncGenerator<string> {
    if (beginning !== '') yield beginning;
    if (!isWhole)
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  const records = readRecords(all(), findDelimiter(beginning));
  const first = await records.next();
  if (first.done === true) throw refuse('The file is empty. Its first line has the names of the columns.');
  const columns = toColumns(first.value.values.map(String));
  return { columns, rows: toRows(records, columns) };
}

/** The separator that the first line has most of, outside of quotes. */
export function findDelimiter(beginning: string): string {
  const [header = ''] = beginning.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  const bare = header.replaceAll(/"(?:[^"]|"")*"/g, '');
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 }));
  return counted.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? ',';
}

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let total = 0;
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw refuse(
        `The file is not UTF-8 text (near byte ${total}). Save it as “CSV UTF-8” and upload it again.`,
      );
    }
  };
  for await (const chunk of bytes) {
    total += chunk.byteLength;
    const text = decoded(chunk);
    if (text.includes('\u0000'))
      throw refuse('The file is not text. Save it as “CSV UTF-8” and upload it again.');
    yield text;
  }
  yield decoded();
}

async function* readRecords(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<ReadRow> {
  const options: Options = {
    bom: true,
    delimiter,
    info: true,
    max_record_size: MAX_RECORD_BYTES,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  };
  const parser = parse(options);
  const feeding = feed(parser, text);
  let before = { lines: 0, empty_lines: 0 };
  try {
    for await (const { info, record } of parser as AsyncIterable<{
      info: { lines: number; empty_lines: number };
      record: string[];
    }>) {
      yield { line: before.lines + 1 + info.empty_lines - before.empty_lines, values: record };
      before = info;
    }
    await feeding;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuse(explain(error));
  }
}

/** Writes as much as the parser takes; an error of the source ends it. */
async function feed(parser: ReturnType<typeof parse>, text: AsyncIterable<string>): Promise<void> {
  try {
    for await (const chunk of text) {
      if (parser.destroyed) return;
      if (!parser.write(chunk))
        await new Promise<void>((resolve) => {
          parser.once('drain', resolve);
          parser.once('close', resolve);
        });
    }
    parser.end();
  } catch (error) {
    parser.destroy(error as Error);
  }
}

function explain({ code, lines, column }: CsvError & { lines?: number; column?: unknown }): string {
  const where = `Line ${lines ?? '?'}${typeof column === 'number' ? `, column ${column + 1}` : ''}`;
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `${where}: the row is longer than ${MAX_RECORD_BYTES / 1024} KB. Is a quotation mark not closed?`;
  if (code === 'CSV_QUOTE_NOT_CLOSED') return `${where}: a quotation mark is not closed.`;
  if (code === 'CSV_INVALID_CLOSING_QUOTE' || code === 'INVALID_OPENING_QUOTE')
    return `${where}: a quotation mark is in the middle of a value. Write it twice, and the value in quotation marks.`;
  return `${where} is not valid CSV.`;
}

/** @throws AppError `invalid_request` for names that are missing or repeated */
export function toColumns(names: readonly string[]): string[] {
  const columns = names.map((name) => name.trim());
  while (columns.at(-1) === '') columns.pop();
  if (columns.length > MAX_COLUMNS)
    throw refuse(`The list has ${columns.length} columns; at most ${MAX_COLUMNS} are possible.`);
  const known = new Set<string>();
  for (const [index, name] of columns.entries()) {
    if (name === '') throw refuse(`Line 1, column ${index + 1}: the column has no name.`);
    if (known.has(name))
      throw refuse(`Line 1, column ${index + 1}: another column is called “${name}”, too.`);
    known.add(name);
  }
  if (columns.length === 0) throw refuse('The first line has no names of columns.');
  return columns;
}

async function* toRows(records: AsyncIterable<ReadRow>, columns: readonly string[]): AsyncGenerator<ReadRow> {
  for await (const { line, values } of records) {
    const more = values.slice(columns.length).findIndex((value) => value !== '');
    if (more !== -1)
      throw refuse(
        `Line ${line}, column ${columns.length + more + 1}: the row has more values than the ${columns.length} columns of line 1.`,
      );
    const filled = columns.map((_, index) => values[index] ?? '');
    if (filled.some((value) => value !== '')) yield { line, values: filled };
  }
}

const refuse = (message: string): AppError => new AppError('invalid_request', message);
