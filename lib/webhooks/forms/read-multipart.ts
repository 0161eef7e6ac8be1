// Reads multipart/form-data (RFC 7578) as a stream. Loaded when the first such form arrives, in its own bundle.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { fileTypeFromBuffer } from 'file-type';
import type { FormField, FormLimits, FormParts, FormProblem, ReceivedFile } from './form-files.ts';

/** Enough for every format with a signature, and a bound on untrusted input for the library. */
const SNIFFED_BYTES = 64 * 1024;

const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/;

/** The media type of a file by its first bytes, at most `SNIFFED_BYTES`. Any text is plain text. */
async function sniffType(start: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  return found?.mime ?? (isText(start) ? 'text/plain' : 'application/octet-stream');
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.byteLength === 0) return false;
  try {
    // The last character may be cut off.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return !CONTROL_CHARACTERS.test(text);
  } catch {
    return false;
  }
}

class FormError extends Error {
  readonly problem: FormProblem;

  constructor(code: FormProblem['code'], message: string) {
    super(message);
    this.problem = { code, message };
  }
}

const UNREADABLE: FormProblem = {
  code: 'invalid_request',
  message: 'The body is not valid multipart/form-data: check the boundary.',
};

export const readMultipart: FormParts['readMultipart'] = async (content, contentType, options) => {
  let busboy: BusboyInstance;
  try {
    busboy = openParser(contentType, options.limits);
  } catch {
    return { problem: UNREADABLE };
  }
  const reading = new FormReading(busboy, options);
  try {
    await pour(content, busboy);
    return { fields: await reading.finish() };
  } catch (error) {
    await reading.settle();
    const cause = reading.failure ?? error;
    if (cause instanceof FormError) return { problem: cause.problem };
    // An error of the disk or of the body's source, not of the form.
    if (cause instanceof Error && 'code' in cause && 'syscall' in cause) throw cause;
    return { problem: UNREADABLE };
  }
};

const openParser = (contentType: string, { fields, files, textBytes }: FormLimits): BusboyInstance =>
  new Busboy({
    headers: { 'content-type': contentType },
    // One more than allowed, so that an excess is refused instead of ignored.
    limits: { fields: fields + 1, files: files + 1, fieldSize: textBytes + 1, headerPairs: 100 },
    // A part without a file name is a field, whatever its type.
    isPartAFile: (_name, _type, filename) => filename !== undefined,
  });

/** Not `pipeline`: the parser emits `finish` a second time, when its parts have ended, and that one counts. */
function pour(content: Readable, busboy: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    busboy.once('finish', resolve).once('error', reject).once('close', reject);
    content.once('error', reject);
    content.pipe(busboy);
  }).finally(() => content.destroy()) as Promise<void>;
}

/** Collects the parser's results. The first error ends it. */
class FormReading {
  readonly #busboy: BusboyInstance;
  readonly #limits: FormLimits;
  readonly #folder: string | undefined;
  readonly #fields: Promise<FormField>[] = [];
  #textBytes = 0;
  #files = 0;
  failure: Error | undefined;

  constructor(busboy: BusboyInstance, { limits, folder }: { limits: FormLimits; folder?: string }) {
    this.#busboy = busboy;
    this.#limits = limits;
    this.#folder = folder;
    busboy.on('field', (name: string | undefined, value: string) =>
      this.#guard(() => this.#addText(name, value)),
    );
    busboy.on('file', (name: string | undefined, stream: Readable, filename: string | undefined) =>
      this.#guard(() => this.#addFile(name, stream, filename)),
    );
  }

  async finish(): Promise<FormField[]> {
    const fields = await Promise.all(this.#fields);
    if (this.failure) throw this.failure;
    return fields;
  }

  /** Waits until all writes have ended. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#fields);
  }

  #guard(work: () => void): void {
    if (this.failure) return;
    try {
      work();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.failure ??=
      error instanceof Error ? error : new Error('A form could not be read.', { cause: error });
    this.#busboy.destroy();
  }

  #addText(name: string | undefined, value: string): void {
    this.#fields.push(Promise.resolve([this.#named(name), value]));
    this.#textBytes += Buffer.byteLength(value);
    this.#assertSize();
  }

  #named(name: string | undefined): string {
    if (name === undefined) throw new FormError('invalid_request', 'A part of the form has no name.');
    this.#textBytes += Buffer.byteLength(name);
    const { fields, textBytes } = this.#limits;
    if (this.#fields.length >= fields)
      throw new FormError('invalid_request', `The form has more than ${fields} fields: send fewer.`);
    if (this.#textBytes > textBytes) this.#assertSize();
    return name;
  }

  #assertSize(): void {
    const { textBytes } = this.#limits;
    if (this.#textBytes <= textBytes) return;
    const message = `The texts of the form are larger than ${textBytes.toLocaleString('en')} bytes.`;
    throw new FormError('body_too_large', message);
  }

  #addFile(name: string | undefined, stream: Readable, filename: string | undefined): void {
    // An error of the form ends the file, too; the form's error is reported.
    stream.on('error', () => undefined);
    const field = this.#named(name);
    const isEmptyInput = !filename;
    const folder = this.#folder;
    if (folder === undefined && !isEmptyInput) {
      const message = `The field ${JSON.stringify(field.slice(0, 100))} is a file. Files are not accepted: send a link to it instead.`;
      throw new FormError('unsupported_media_type', message);
    }
    if (!isEmptyInput) this.#files += 1;
    if (this.#files > this.#limits.files)
      throw new FormError(
        'body_too_large',
        `The form has more than ${this.#limits.files} files: send fewer.`,
      );
    const taken = isEmptyInput
      ? takeEmptyInput(field, stream)
      : takeFile(stream, filename, join(folder ?? '', `file-${this.#files}`));
    const added = taken.then((value): FormField => [field, value]);
    added.catch((error: unknown) => this.#fail(error));
    this.#fields.push(added);
  }
}

/** Browsers send an empty file input as a file without name and content. */
async function takeEmptyInput(field: string, stream: Readable): Promise<string> {
  for await (const chunk of stream)
    if ((chunk as Buffer).byteLength > 0) {
      const message = `The field ${JSON.stringify(field.slice(0, 100))} is a file without a name: send a name with it.`;
      throw new FormError('unsupported_media_type', message);
    }
  return '';
}

async function takeFile(stream: Readable, filename: string, path: string): Promise<ReceivedFile> {
  const hash = createHash('sha256');
  const start: Buffer[] = [];
  let bytes = 0;
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (bytes < SNIFFED_BYTES) start.push(chunk.subarray(0, SNIFFED_BYTES - bytes));
        bytes += chunk.byteLength;
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  return {
    path,
    bytes,
    sha256: hash.digest('hex'),
    filename,
    mimeType: await sniffType(Buffer.concat(start)),
  };
}
