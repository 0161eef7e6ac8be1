import { randomBytes } from 'node:crypto';
import { GraphError, invalidParameter } from '../graph-error.ts';
import { MANAGEMENT_SCOPE } from '../product.ts';
import { assertScope } from './access.ts';
import type { GraphAnswer, GraphCall } from './graph-call.ts';

const TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf'];

/** Whether a path is one of the resumable upload: of the app's sessions, or of one session. */
export const isUploadPath = ({ world, path }: Pick<GraphCall, 'world' | 'path'>): boolean =>
  path === `${world.options.client.id}/uploads` || path.startsWith('upload:');

/** `POST /{app}/uploads`, `POST /upload:…` with the bytes, `GET /upload:…` for how many arrived. */
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
