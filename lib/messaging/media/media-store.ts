import { join, resolve } from 'node:path';
import { newToken } from '#lib/core/crypto/token.ts';
import type { Settings } from '#lib/core/env.ts';

export interface StoredFile {
  /** The day of storing, followed by random characters, so that it cannot be guessed. */
  key: string;
  filename: string;
  mimeType: string;
}

/** Storage for files from customers. */
export interface MediaStore {
  /** @param path a complete file, which stays where it is. @param bytes its size. @param sha256 in hexadecimal */
  put(file: StoredFile, content: { path: string; bytes: number; sha256: string }): Promise<void>;
  /** A link to the file for anyone who has it, until it expires. */
  link(file: StoredFile, expiresAt: Date): Promise<string>;
  /** Removes a file; a missing one counts as removed. */
  remove(key: string): Promise<void>;
  /** Removes files that were stored on days before this one. @returns their number */
  prune(before: Date): Promise<number>;
}

const DAY_CHARACTERS = 10;

/** The day of an instant, the prefix of keys: `2026-11-22`. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, DAY_CHARACTERS);

/** The key of a new file: the day of storing, and random characters. */
export const newMediaKey = (now: Date): string => `${dayOf(now)}/${newToken()}`;

/** Whether a text has the form of `newMediaKey`, so that it refers to nothing outside the store. */
export const isMediaKey = (text: string): boolean => /^\d{4}-\d{2}-\d{2}\/[\w-]{32}$/.test(text);

export interface S3Settings {
  /** Undefined: Amazon's own, by the region. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  /** Undefined: the default of the AWS SDK, such as the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Where files that customers sent are stored and for how long (docs/reference/settings.md). */
export interface MediaSettings {
  store: { kind: 'folder'; folder: string } | { kind: 's3'; s3: S3Settings };
  retentionDays: number;
  linkDays: number;
}

/** The part of the app's settings for stored files. */
export function mediaSettingsOf(settings: Settings): MediaSettings {
  return {
    store:
      settings.MEDIA_STORE === 's3'
        ? { kind: 's3', s3: s3SettingsOf(settings) }
        : {
            kind: 'folder',
            // Otherwise Next's build assumes that any file of the project is read.
            folder: resolve(
              /* turbopackIgnore: true */ settings.MEDIA_FOLDER ?? join(settings.PATCHBAY_DATA_DIR, 'media'),
            ),
          },
    retentionDays: settings.MEDIA_RETENTION_DAYS,
    linkDays: settings.MEDIA_LINK_DAYS,
  };
}

function s3SettingsOf(settings: Settings): S3Settings {
  const { MEDIA_S3_BUCKET: bucket = '', MEDIA_S3_ENDPOINT: endpoint, MEDIA_S3_REGION: region } = settings;
  const { MEDIA_S3_ACCESS_KEY_ID: accessKeyId, MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey };
  return { endpoint, region, bucket, credentials };
}
