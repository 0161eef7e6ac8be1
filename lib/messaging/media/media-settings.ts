import { join, resolve } from 'node:path';
import type { Settings } from '#lib/core/env.ts';

export interface S3Settings {
  /** Undefined: Amazon's own, by the region. */
  endpoint: string | undefined;
  region: string;
  bucket: string;
  /** Undefined: from where the AWS SDK finds them, such as the machine's role. */
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
            folder: resolve(settings.MEDIA_FOLDER ?? join(settings.PATCHBAY_DATA_DIR, 'media')),
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
