import { z } from 'zod';
import { BadRequest } from '../http/exchange.ts';
import { ENDLESS_SECONDS } from '../identity/bearer.ts';
import { findDemoAccount } from '../identity/demo-accounts.ts';
import { mintTokens } from '../identity/mint.ts';
import { MANAGEMENT_SCOPE, MESSAGING_SCOPE } from '../product.ts';
import type { World } from '../world.ts';
import { type ControlRoutes, readControl } from './control-routes.ts';
import { signIn } from './sign-in.ts';

const mintSchema = z.strictObject({
  account: z.string().default('admin'),
  scopes: z.array(z.string()).default([MANAGEMENT_SCOPE, MESSAGING_SCOPE]),
  /** Seconds, or `never`, as for the tokens of system users. */
  expires_in: z.number().int().positive().or(z.literal('never')).optional(),
});

const whichSchema = z.strictObject({
  /** One access or refresh token; without it all of them. */
  token: z.string().optional(),
  kind: z.enum(['access', 'refresh', 'both']).default('both'),
});

const signInSchema = z.strictObject({
  authorize_url: z.string(),
  account: z.string().default('admin'),
  /** Scopes to leave ticked; without it all that are asked for. */
  scopes: z.array(z.string()).optional(),
  decision: z.enum(['allow', 'cancel']).default('allow'),
});

/** Tokens of the identity provider, as tests bend them. */
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
