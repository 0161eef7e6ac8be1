import { createHmac, randomBytes } from 'node:crypto';
import { GraphError, invalidParameter, unknownObject } from '../graph-error.ts';
import { keepMedia } from '../keep-media.ts';
import type { Media, Phone } from '../model.ts';
import { MANAGEMENT_SCOPE, MESSAGING_SCOPE, PRODUCT } from '../product.ts';
import { isStrict } from '../settings.ts';
import type { World } from '../world.ts';
import { assertScope } from './access.ts';
import { assertMediaSize } from './fetch-media.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';
import { bareMimeType, findMediaKind, MEDIA_RULES } from './media-rules.ts';

const URL_SECONDS = 300;
const RECEIVED_MS = 7 * 24 * 3_600_000;

/** `POST /{phone}/media`, multipart with `file`, `type` and `messaging_product`. */
export async function uploadMedia(call: GraphCall, phone: Phone): Promise<GraphAnswer> {
  assertScope(call, MESSAGING_SCOPE);
  const { form } = call;
  if (!form)
    throw invalidParameter(
      'The body must be multipart/form-data with the fields file, type and messaging_product.',
    );
  const product = form.get('messaging_product') ?? call.query.get('messaging_product');
  if (product !== PRODUCT) throw invalidParameter(`Param messaging_product must be one of {${PRODUCT}}.`);
  const file = form.get('file');
  if (!(file instanceof File)) throw invalidParameter('The parameter file is required.');
  const type = form.get('type');
  const mimeType = bareMimeType(typeof type === 'string' && type.includes('/') ? type : file.type);
  const kind = findMediaKind(mimeType);
  if (!kind) throw new GraphError(131053, `Unsupported media type ${mimeType || '(none)'}.`);
  assertMediaSize(file.size, MEDIA_RULES[kind].largestBytes);
  const bytes = Buffer.from(await file.arrayBuffer());
  return {
    id: keepMedia(call.world, { phoneId: phone.id, mimeType, filename: file.name || null, bytes }).id,
  };
}

/** `GET /{media}`: its download URL, valid for five minutes. */
export function showMedia(call: GraphCall, media: Media): GraphAnswer {
  assertScope(call, MESSAGING_SCOPE);
  if (isStrict(call.world) && hasEnded(call.world, media)) throw unknownObject(media.id, 'GET');
  const expires = call.world.clock.nowSeconds() + URL_SECONDS;
  const query = new URLSearchParams({ ext: String(expires), hash: sign(call.world, media.id, expires) });
  return {
    messaging_product: PRODUCT,
    url: `${call.world.options.publicUrl}/media/${media.id}?${query}`,
    mime_type: media.mimeType,
    sha256: media.sha256,
    file_size: String(media.sizeBytes),
    id: media.id,
  };
}

/** Media ids of notifications are valid for seven days. */
const hasEnded = ({ clock }: World, { receivedAt }: Media): boolean =>
  receivedAt !== null && clock.nowMs() - receivedAt >= RECEIVED_MS;

/** `DELETE /{media}`. */
export function deleteMedia(call: GraphCall, media: Media): GraphAnswer {
  assertScope(call, MESSAGING_SCOPE);
  return { success: call.world.media.delete(media.id) };
}

/** The media of a download URL, or null if it was never valid or has expired. */
export function findDownload(world: World, id: string, query: URLSearchParams): Media | null {
  const expires = Number(query.get('ext'));
  const valid = query.get('hash') === sign(world, id, expires) && expires > world.clock.nowSeconds();
  return valid ? (world.media.get(id) ?? null) : null;
}

function sign(world: World, id: string, expires: number): string {
  return createHmac('sha256', world.options.client.secret).update(`${id}:${expires}`).digest('base64url');
}

const TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf'];

/** Whether a path is one of the resumable upload: of the app's sessions, or of one session. */
export const isUploadPath = ({ world, path }: Pick<GraphCall, 'world' | 'path'>): boolean =>
  path === `${world.options.client.id}/uploads` || path.startsWith('upload:');

/** `POST /{app}/uploads`, `POST /upload:…` with the bytes, `GET /upload:…` for the number of received bytes. */
export function handleUpload(call: GraphCall): GraphAnswer {
  assertScope(call, MANAGEMENT_SCOPE);
  const { world, method, path } = call;
  if (!path.startsWith('upload:')) return startUpload(call);
  const session = world.uploads.get(path);
  if (!session) throw invalidParameter('The upload session does not exist or has ended.');
  if (method === 'GET') return { id: path, file_offset: session.received };
  if (call.fileOffset !== session.received)
    throw invalidParameter(`The file_offset must be ${session.received}.`);
  if (session.received + call.raw.length > session.length)
    throw invalidParameter('More bytes than file_length were sent.');
  session.received += call.raw.length;
  if (session.received < session.length) return { id: path, file_offset: session.received };
  world.uploads.delete(path);
  return { h: `4::${randomBytes(24).toString('base64url')}` };
}

function startUpload({ world, query }: GraphCall): GraphAnswer {
  const length = Number(query.get('file_length'));
  const type = query.get('file_type') ?? '';
  if (!Number.isInteger(length) || length < 1)
    throw invalidParameter('The parameter file_length is required.');
  if (!TYPES.includes(type)) throw new GraphError(100, `The file type ${type || '(none)'} is not supported.`);
  const id = `upload:${randomBytes(18).toString('base64url')}`;
  world.uploads.set(id, { length, received: 0 });
  return { id: `${id}?sig=${randomBytes(12).toString('base64url')}` };
}
