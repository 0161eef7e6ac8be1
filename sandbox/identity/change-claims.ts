import { createPrivateKey, sign } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { changeAnswer } from './change-answer.ts';

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
  changeAnswer(response, (answer) => {
    const token = answer['id_token'];
    return typeof token === 'string' ? { ...answer, id_token: changeToken(token, claims, signingKey) } : null;
  });
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
