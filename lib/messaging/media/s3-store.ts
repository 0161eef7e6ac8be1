// Files in a bucket of S3-compatible storage, which signs their links itself (docs/decisions/media-store.md).
import { createReadStream } from 'node:fs';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { contentDisposition } from './file-name.ts';
import { dayOf, type MediaStore, type S3Settings } from './media-store.ts';

const PREFIX = 'media/';

/** The maximum of S3; a run's clock may be slightly ahead of this machine's. */
const LONGEST_LINK_SECONDS = 7 * 86_400;

const secondsUntil = (at: Date): number =>
  Math.min(LONGEST_LINK_SECONDS, Math.max(1, Math.floor((at.getTime() - Date.now()) / 1000)));

export function createS3Store({ endpoint, region, bucket, credentials }: S3Settings): MediaStore {
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    // Other storage than Amazon's does not support the library's default checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    async put({ key, filename, mimeType }, { path, bytes, sha256 }) {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: PREFIX + key,
        Body: createReadStream(path),
        ContentLength: bytes,
        ContentType: mimeType,
        ContentDisposition: contentDisposition(filename),
      });
      // The signature covers the content, which is not read twice for it.
      command.middlewareStack.add(
        (next) => (args) => {
          const { headers } = args.request as { headers: Record<string, string> };
          headers['x-amz-content-sha256'] = sha256;
          return next(args);
        },
        { step: 'build', name: 'contentHash' },
      );
      await client.send(command);
    },
    link: ({ key }, expiresAt) =>
      getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: PREFIX + key }), {
        expiresIn: secondsUntil(expiresAt),
      }),
    async remove(key) {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: PREFIX + key }));
    },
    async prune(before) {
      let removed = 0;
      // Keys begin with their day, so that older ones are first.
      for (;;) {
        const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: PREFIX }));
        const old = (page.Contents ?? []).flatMap(({ Key }) =>
          Key !== undefined && Key < PREFIX + dayOf(before) ? [{ Key }] : [],
        );
        if (old.length === 0) return removed;
        // One by one: the bulk call requires a checksum that not all storage supports.
        for (const { Key } of old) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
        removed += old.length;
      }
    },
  };
}
