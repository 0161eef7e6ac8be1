// Authentication of a request: selected in the panel, stored as an ordinary header.
import { isSecretName } from '#lib/core/secret-names.ts';
import { toBase64 } from './parse-curl.ts';

export interface Header {
  name: string;
  value: string;
}

export type Authentication =
  | { kind: 'none' }
  | { kind: 'bearer'; token: string }
  | { kind: 'basic'; user: string; password: string }
  | { kind: 'api_key'; name: string; key: string };

export type AuthenticationKind = Authentication['kind'];

/** The header that authenticates a request; undefined: none. */
export const findCredential = (headers: readonly Header[]): Header | undefined =>
  headers.find(({ name }) => name.toLowerCase() === 'authorization') ??
  headers.find(({ name, value }) => value !== '' && isSecretName(name));

/** The name of the credentials' header. */
export function kindOfCredential({ name, value }: Header): AuthenticationKind {
  if (name.toLowerCase() !== 'authorization') return 'api_key';
  return /^basic\s/i.test(value) ? 'basic' : 'bearer';
}

/** The headers with replaced credentials. */
export function withCredential(headers: readonly Header[], credential: Header | undefined): Header[] {
  const old = findCredential(headers);
  const others = headers.filter((header) => header !== old);
  return credential ? [credential, ...others] : others;
}

const WRITTEN_OUT = /^(basic\s+)([^]*:[^]*)$/i;

/**
 * The value of `Authorization` as it is sent. User name and password in plain form, `Basic name:password`, which may contain
 * variables or secrets, are encoded only now (RFC 7617; Base64 has no colon).
 */
export const encodeBasic = (value: string): string =>
  value.replace(WRITTEN_OUT, (_, scheme: string, pair: string) => scheme + toBase64(pair));

/** The header for entered credentials; undefined: no authentication. */
export function toCredential(authentication: Authentication): Header | undefined {
  switch (authentication.kind) {
    case 'none':
      return undefined;
    case 'bearer':
      return { name: 'Authorization', value: `Bearer ${authentication.token.trim()}` };
    case 'basic': {
      const pair = `${authentication.user}:${authentication.password}`;
      return { name: 'Authorization', value: `Basic ${pair.includes('{{') ? pair : toBase64(pair)}` };
    }
    case 'api_key':
      return { name: authentication.name.trim(), value: authentication.key.trim() };
  }
}
