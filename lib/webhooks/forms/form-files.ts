// What a process injects for multipart forms: it is loaded with the first one, and exchanges plain data (docs/webhooks.md,
// "Forms").
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
  /** File name in the form, without folders; may be empty. */
  filename: string;
  /** Detected from its content, not from the form. */
  mimeType: string;
}

export type FormField = [name: string, value: string | ReceivedFile];

export interface FormLimits {
  fields: number;
  /** Maximum of names and texts together. */
  textBytes: number;
  files: number;
}

/** Storage of forms' files. */
export interface FormFileStore {
  /** Assigns a file its location and its fields in the event; nothing is stored yet. */
  describe(file: ReceivedFile): Promise<DescribedFile>;
  /** Stores all of them, or none. */
  save(files: readonly DescribedFile[]): Promise<void>;
  /** Removes stored files; those that cannot be removed expire with their retention. */
  remove(files: readonly DescribedFile[]): Promise<void>;
}

export interface DescribedFile {
  file: ReceivedFile;
  key: string;
  filename: string;
  value: JsonObject;
}

export interface FormParts {
  /** @param folder for the files, which are not removed; left out: files are refused */
  readMultipart: (
    content: Readable,
    contentType: string,
    options: { limits: FormLimits; folder?: string },
  ) => Promise<{ fields: FormField[] } | { problem: FormProblem }>;
  store: FormFileStore;
}

export type LoadFormParts = () => Promise<FormParts>;
