import type { ServerResponse } from 'node:http';

type Json = Record<string, unknown>;

/** Lets an answer of the token endpoint go out changed. @param change gets the JSON object; null leaves it as it is */
export function changeAnswer(response: ServerResponse, change: (answer: Json) => Json | null): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    const text = Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : '';
    const changed = text.startsWith('{') ? change(JSON.parse(text) as Json) : null;
    if (!changed) return end(body);
    const bytes = Buffer.from(JSON.stringify(changed));
    response.setHeader('content-length', bytes.length);
    return end(bytes);
  }) as typeof response.end;
}

/** What the real platform answers a login with, which is no OpenID Connect: the token and how long it lives. */
export const withoutTokenType = (answer: Json): Json | null => {
  if (answer['access_token'] === undefined || answer['id_token'] !== undefined) return null;
  const { access_token: token, expires_in: seconds } = answer;
  return { access_token: token, expires_in: seconds };
};
