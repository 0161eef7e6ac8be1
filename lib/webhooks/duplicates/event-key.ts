import { hash } from 'node:crypto';
import type { EventKey } from '#lib/engine/store/start-runs.ts';
import type { ObjectBody } from '../object-body.ts';
import type { KeySource } from './duplicate-settings.ts';

export interface KeyedRequest {
  headers: Readonly<Record<string, string>>;
  object: ObjectBody;
  /** What copies have in common: the bytes of the body, or of a form with files what its sender sent. */
  contents: () => Uint8Array;
}

/**
 * The key of a request, hashed together with where it is, and the hash of its body.
 * @returns undefined where the request has none: it is a new event
 */
export async function readEventKey(
  source: KeySource,
  { headers, object, contents }: KeyedRequest,
): Promise<EventKey | undefined> {
  const { onlyWhere, ignoresRest = false, ignoredNumber } = source;
  if (onlyWhere && (await object.readField(onlyWhere.path)) !== onlyWhere.is) return undefined;
  const value = 'header' in source ? headers[source.header] : await object.readField(source.path);
  if (value === undefined || value === '') return undefined;
  const place = 'header' in source ? source.header : source.path;
  return {
    hash: sha256(JSON.stringify([place, value])),
    bodyHash: sha256(ignoresRest ? '' : withoutNumber(contents(), ignoredNumber)),
  };
}

/** In JSON the name with its quotes is always a key: inside a text, they are escaped. */
function withoutNumber(contents: Uint8Array, name: string | undefined): string | Uint8Array {
  if (name === undefined) return contents;
  return Buffer.from(contents)
    .toString('latin1')
    .replaceAll(new RegExp(`"${name}"\\s*:\\s*\\d+`, 'g'), '');
}

const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');
