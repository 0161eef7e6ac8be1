// What the process that opens the doors brings along for multipart forms: it is loaded when the first one arrives, and what it
// hands over is plain data (docs/webhooks.md, "Forms").
import type { Readable } from 'node:stream';
import type { JsonObject } from '#lib/core/json/value.ts';

export interface FormProblem {
  code: 'invalid_request' | 'unsupported_media_type' | 'body_too_large';
  message: string;
}

/** A file of a form, complete, in a temporary folder. */
export interface ReceivedFile {
  path: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** As the form names it, without folders; may be empty. */
  filename: string;
  /** By its content, whatever the form says. */
  mimeType: string;
}

export type FormField = [name: string, value: string | ReceivedFile];

export interface FormLimits {
  fields: number;
  /** Of names and texts together. */
  textBytes: number;
  files: number;
}

/** Where files of forms end up. */
export interface FormFileStore {
  /** Gives a file its place and what the event holds of it; nothing is stored yet. */
  describe(file: ReceivedFile): Promise<DescribedFile>;
  /** Stores all of them, or none. */
  save(files: readonly DescribedFile[]): Promise<void>;
  /** Removes what was stored; what cannot be removed goes with its retention. */
  remove(files: readonly DescribedFile[]): Promise<void>;
}

export interface DescribedFile {
  file: ReceivedFile;
  key: string;
  filename: string;
  value: JsonObject;
}

export interface FormParts {
  /** @param folder where files are put, which stay there; left out: files are refused */
  readMultipart: (
    content: Readable,
    contentType: string,
    options: { limits: FormLimits; folder?: string },
  ) => Promise<{ fields: FormField[] } | { problem: FormProblem }>;
  store: FormFileStore;
}

export type LoadFormParts = () => Promise<FormParts>;
