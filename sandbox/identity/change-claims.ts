import { createPrivateKey, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/**
 * Lets an answer of the token endpoint have an ID token with other claims, signed with the same key: for tests of what apps check.
 * @param claims null takes one out
 * @param signingKey a JWK
 */
export function changeClaims(
  response: ServerResponse,
  claims: Readonly<Record<string, unknown>>,
  signingKey: Record<string, unknown>,
): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    const text = Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : '';
    if (!text.includes('"id_token"')) return end(body);
    const answer = JSON.parse(text) as { id_token: string };
    const changed = JSON.stringify({ ...answer, id_token: changeToken(answer.id_token, claims, signingKey) });
    response.setHeader('content-length', Buffer.byteLength(changed));
    return end(changed);
  }) as typeof response.end;
}

function changeToken(
  token: string,
  claims: Readonly<Record<string, unknown>>,
  signingKey: Record<string, unknown>,
): string {
  const [header = '', payload = ''] = token.split('.');
  const before = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const after = Object.entries({ ...before, ...claims }).filter(([, value]) => value !== null);
  const body = `${header}.${Buffer.from(JSON.stringify(Object.fromEntries(after))).toString('base64url')}`;
  const key = createPrivateKey({ key: signingKey, format: 'jwk' });
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
}
