import * as z from 'zod';
import { field, text } from '#lib/messaging/platform-fields.ts';
import { toText } from '#lib/variables/to-text.ts';
import { callGraph, type GraphAccess, lostAnswer } from './graph.ts';
import { multipart } from './multipart.ts';
import { PlatformError } from './platform-error.ts';

export interface MediaFacts {
  id: string;
  /** Valid for five minutes, only with the access token. */
  url: string;
  mimeType: string;
  bytes: number;
  /** In hexadecimal; empty where the platform does not return it. */
  sha256: string;
}

const uploadSchema = z.object({ id: text });
const mediaSchema = z.object({
  url: text,
  mime_type: text,
  file_size: field((value) => Number(toText(value))),
  sha256: field((value) => toHex(toText(value))),
});

/** Uploads a file so that messages can refer to its id. @throws PlatformError */
export async function uploadMedia(
  access: GraphAccess,
  phoneNumberId: string,
  file: { name: string; mimeType: string; content: Blob },
): Promise<string> {
  const upload = multipart({ messaging_product: access.settings.product, type: file.mimeType }, file);
  const answer = await callGraph(access, { method: 'POST', path: [phoneNumberId, 'media'], upload });
  const { id } = uploadSchema.parse(answer);
  if (id === '') throw lostAnswer(200, 'Its response has no file ID.');
  return id;
}

/** Where an uploaded or received file can be downloaded. @throws PlatformError */
export async function getMedia(access: GraphAccess, mediaId: string): Promise<MediaFacts> {
  const media = mediaSchema.parse(await callGraph(access, { method: 'GET', path: [mediaId] }));
  return {
    id: mediaId,
    url: media.url,
    mimeType: media.mime_type,
    bytes: media.file_size,
    sha256: media.sha256,
  };
}

/** Hexadecimal in responses, base64 in notifications. */
const toHex = (hash: string): string =>
  /^[\da-f]{64}$/i.test(hash) ? hash.toLowerCase() : Buffer.from(hash, 'base64').toString('hex');

// The resumable upload of sample files for message templates: a session for the app, then the bytes.

const sessionSchema = z.object({ id: text });
const uploadedSchema = z.object({ h: text });

/** Uploads a sample file. @returns the handle for `example.header_handle` @throws PlatformError */
export async function uploadSampleFile(
  access: GraphAccess,
  file: { name: string; mimeType: string; content: Blob },
): Promise<string> {
  const { clientId } = access.settings;
  if (clientId === undefined) throw new PlatformError('not_configured');
  const session = sessionSchema.parse(
    await callGraph(access, {
      method: 'POST',
      path: [clientId, 'uploads'],
      query: { file_name: file.name, file_length: String(file.content.size), file_type: file.mimeType },
    }),
  );
  if (session.id === '') throw lostAnswer(200, 'Its response has no upload session.');
  // The id may contain a signature as a query.
  const [id = '', query = ''] = session.id.split('?', 2);
  const content = file.content.stream();
  const answer = await callGraph(access, {
    method: 'POST',
    path: [id],
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: { authorization: `OAuth ${access.accessToken}`, file_offset: '0' },
    upload: { contentType: file.mimeType, bytes: file.content.size, chunks: () => content },
  });
  const { h } = uploadedSchema.parse(answer);
  if (h === '') throw lostAnswer(200, 'Its response has no file handle.');
  return h;
}
