import * as z from 'zod';
import { BadRequest } from '../http/exchange.ts';
import { ENDLESS_SECONDS } from '../identity/bearer.ts';
import { findDemoAccount } from '../identity/demo-accounts.ts';
import { mintTokens } from '../identity/mint.ts';
import { MANAGEMENT_SCOPE, MESSAGING_SCOPE } from '../product.ts';
import type { World } from '../world.ts';
import { type ControlRoutes, readControl } from './control-routes.ts';

const mintSchema = z.strictObject({
  account: z.string().default('admin'),
  scopes: z.array(z.string()).default([MANAGEMENT_SCOPE, MESSAGING_SCOPE]),
  /** Seconds, or `never`, like for tokens of system users. */
  expires_in: z.number().int().positive().or(z.literal('never')).optional(),
});

const whichSchema = z.strictObject({
  /** One access or refresh token; left out: all. */
  token: z.string().optional(),
  kind: z.enum(['access', 'refresh', 'both']).default('both'),
});

const signInSchema = z.strictObject({
  authorize_url: z.string(),
  account: z.string().default('admin'),
  /** Scopes to keep selected; left out: all requested ones. */
  scopes: z.array(z.string()).optional(),
  decision: z.enum(['allow', 'cancel']).default('allow'),
});

/** Changes of the identity provider's tokens, for tests. */
export const tokenRoutes: ControlRoutes = {
  'POST tokens': ({ world, provider, body }) => {
    const { account, scopes, expires_in: expiresIn } = readControl(mintSchema, body);
    if (!findDemoAccount(account)) throw new BadRequest('account: must be admin or visitor');
    return mintTokens(provider, world, {
      accountId: account,
      scopes,
      ...(expiresIn === undefined ? {} : { expiresIn: expiresIn === 'never' ? ENDLESS_SECONDS : expiresIn }),
    });
  },
  'POST tokens/expire': ({ world, body }) => {
    const now = Math.floor(Date.now() / 1000);
    return { changed: eachToken(world, body, (model, id) => world.tokens.expire(model, id, now)) };
  },
  'POST tokens/revoke': ({ world, body }) => ({
    changed: eachToken(world, body, (model, id) => world.tokens.remove(model, id)),
  }),
  'POST sign-in': ({ world, body }) => {
    const { authorize_url: authorizeUrl, ...input } = readControl(signInSchema, body);
    if (!URL.canParse(authorizeUrl)) throw new BadRequest('authorize_url: must be a whole URL');
    return signIn(world, { authorizeUrl, ...input });
  },
};

function eachToken(world: World, body: unknown, change: (model: string, id: string) => boolean): number {
  const { token, kind } = readControl(whichSchema, body);
  const models = {
    access: ['AccessToken'],
    refresh: ['RefreshToken'],
    both: ['AccessToken', 'RefreshToken'],
  }[kind];
  let changed = 0;
  for (const model of models) {
    for (const id of world.tokens.ids(model))
      if ((token === undefined || token === id) && change(model, id)) changed += 1;
  }
  return changed;
}

const MOST_STEPS = 12;

/**
 * Goes through the login and consent pages like a browser, and returns the final URL: the redirect URI of the app with `code`
 * and `state`, or with `error`. Throws BadRequest if the identity provider shows an error page.
 */
async function signIn(
  world: World,
  input: {
    authorizeUrl: string;
    account: string;
    scopes?: string[] | undefined;
    decision: 'allow' | 'cancel';
  },
): Promise<{ redirect_url: string }> {
  const cookies = new Map<string, string>();
  let url = new URL(input.authorizeUrl);
  const origins = [url.origin, new URL(world.options.publicUrl).origin];
  let form: URLSearchParams | null = null;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const response = await visit(url, cookies, form);
    const location = response.headers.get('location');
    if (location !== null) {
      url = new URL(location, url);
      form = null;
      if (!origins.includes(url.origin)) return { redirect_url: url.href };
      continue;
    }
    const html = await response.text();
    if (!response.ok)
      throw new BadRequest(
        `The identity provider answered ${response.status}: ${html.replaceAll(/<[^>]+>/g, ' ')}`,
      );
    form = fillForm(html, input);
  }
  throw new BadRequest('The sign-in did not come to an end.');
}

async function visit(
  url: URL,
  cookies: Map<string, string>,
  form: URLSearchParams | null,
): Promise<Response> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form ? { method: 'POST', body: form } : {}),
  });
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
}

function fillForm(
  html: string,
  input: { account: string; scopes?: string[] | undefined; decision: 'allow' | 'cancel' },
): URLSearchParams {
  if (html.includes('name="account"')) return new URLSearchParams({ account: input.account });
  const form = new URLSearchParams({ decision: input.decision });
  for (const [, scope = ''] of html.matchAll(/name="scope" value="([^"]+)"/g)) {
    if (input.scopes === undefined || input.scopes.includes(scope)) form.append('scope', scope);
  }
  return form;
}
