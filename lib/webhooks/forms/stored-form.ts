// Forms with stored files: the body is written to a temporary file, checked there, and read as a stream. Nothing is stored
// before the whole form is valid, and nothing stays in the temporary folder.
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { BytesInFlight, BytesLease } from '../body.ts';
import type { CalledTrigger } from '../called-trigger.ts';
import type { ObjectBody } from '../object-body.ts';
import type { WebhookRequest } from '../types.ts';
import { FORM_LIMITS, toForm } from './form-body.ts';
import type { DescribedFile, FormField, FormFileStore, LoadFormParts } from './form-files.ts';

/** Maximum number of concurrent forms, of the largest size, on the process's disk. */
const UPLOADS_AT_ONCE = 8;

export interface FormUploads {
  maxBytes: number;
  inFlight: BytesInFlight;
  loadParts: LoadFormParts;
}

/** @param maxBytes of one form with its files */
export const createFormUploads = (maxBytes: number, loadParts: LoadFormParts): FormUploads => ({
  maxBytes,
  inFlight: new BytesInFlight(maxBytes * UPLOADS_AT_ONCE),
  loadParts,
});

/**
 * Files of a valid form; they have to be saved before the event is written. With the form they are removed again, unless an
 * event that can run refers to them.
 */
export interface PendingFiles {
  save(): Promise<void>;
  /** Leaves the saved files where they are. */
  keep(): void;
}

export type StoredForm =
  | {
      object: ObjectBody;
      bytes: Buffer;
      files: PendingFiles;
      /** What its sender sent, without the links to the files, which are new each time. */
      contents: () => Uint8Array;
    }
  | { refusal: AppError; bytes: null };

/**
 * Reads a form with files, in the order of docs/webhooks.md (size, signature, form). What it takes is released with `held`.
 * @throws AppError `overloaded`, `invalid_request`
 */
export async function openStoredForm(
  request: WebhookRequest,
  { maxBytes, inFlight, loadParts }: FormUploads,
  trigger: CalledTrigger,
  held: AsyncDisposableStack,
): Promise<StoredForm> {
  if ((request.declaredBytes ?? 0) > maxBytes) return tooLarge(maxBytes);
  const lease = held.use(new BytesLease(inFlight));
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-form-'));
  held.defer(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'body');
  if (!(await receiveInto(path, request, maxBytes, lease))) return tooLarge(maxBytes);
  const notAllowed = await trigger.checkBody(() => createReadStream(path));
  if (notAllowed) return { refusal: notAllowed, bytes: null };
  const { readMultipart, store } = await loadParts();
  const type = request.headers['content-type'] ?? '';
  const read = await readMultipart(createReadStream(path), type, { limits: FORM_LIMITS, folder });
  if ('problem' in read)
    return { refusal: new AppError(read.problem.code, read.problem.message), bytes: null };
  const { fields, files } = await describeFiles(read.fields, store);
  const { object, json } = toForm(fields);
  return {
    object,
    bytes: json,
    files: pend(files, store, held),
    contents: () => describeContents(read.fields),
  };
}

const describeContents = (fields: readonly FormField[]): Uint8Array =>
  Buffer.from(
    JSON.stringify(
      fields.map(([name, value]) =>
        typeof value === 'string' ? [name, value] : [name, value.filename, value.sha256],
      ),
    ),
  );

function pend(
  files: readonly DescribedFile[],
  store: FormFileStore,
  held: AsyncDisposableStack,
): PendingFiles {
  let isKept = true;
  held.defer(async () => {
    if (!isKept) await store.remove(files);
  });
  return {
    async save() {
      await store.save(files);
      isKept = false;
    },
    keep: () => void (isKept = true),
  };
}

function tooLarge(maxBytes: number): StoredForm {
  const message = `The form with its files is larger than ${maxBytes.toLocaleString('en')} bytes.`;
  return { refusal: new AppError('body_too_large', message), bytes: null };
}

/** @returns false when the body exceeds the limit */
async function receiveInto(
  path: string,
  request: Pick<WebhookRequest, 'readBody'>,
  maxBytes: number,
  lease: BytesLease,
): Promise<boolean> {
  const file = await open(path, 'wx', 0o600);
  try {
    return await writeBody(file, request, maxBytes, lease);
  } finally {
    await file.close();
  }
}

async function writeBody(
  file: FileHandle,
  request: Pick<WebhookRequest, 'readBody'>,
  maxBytes: number,
  lease: BytesLease,
): Promise<boolean> {
  let bytes = 0;
  let failure: Error | undefined;
  let isTooLarge = false;
  const isWhole = await request.readBody((chunk) => {
    bytes += chunk.byteLength;
    isTooLarge = bytes > maxBytes;
    if (isTooLarge) return false;
    if (!lease.tryAdd(chunk.byteLength)) {
      failure = new AppError('overloaded', 'The server is overloaded. Send the request again.', {
        retryAfterSeconds: 1,
      });
      return false;
    }
    return writeAll(file, chunk).then(
      () => true,
      (error: unknown) => {
        failure = new Error('A form could not be written to the temporary folder.', { cause: error });
        return false;
      },
    );
  });
  if (isTooLarge) return false;
  if (failure) throw failure;
  if (!isWhole) throw new AppError('invalid_request', 'The body ended before it was complete.');
  return true;
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength;) at += (await file.write(chunk, at)).bytesWritten;
}

async function describeFiles(
  fields: readonly FormField[],
  store: FormFileStore,
): Promise<{ fields: [string, JsonValue][]; files: DescribedFile[] }> {
  const files: DescribedFile[] = [];
  const described: [string, JsonValue][] = [];
  for (const [name, value] of fields) {
    if (typeof value === 'string') {
      described.push([name, value]);
      continue;
    }
    const file = await store.describe(value);
    files.push(file);
    described.push([name, file.value]);
  }
  return { fields: described, files };
}
